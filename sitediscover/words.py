"""Words that sites use in the paths of pages that are no articles, by language.

Whole segments of a path, decoded and in lower case, unless a table says otherwise. `en` includes what is international;
a word that several languages share may stand in any of them.
"""

from __future__ import annotations

TABLE = dict[str, str]


def _all(table: TABLE) -> frozenset[str]:
    return frozenset(word for words in table.values() for word in words.split())


CATEGORY: TABLE = {
    # The segment before a section's name: /category/sport.
    "en": "category categories cat cate section sections channel channels desk department topnews",
    "de": "kategorie kategorien rubrik rubriken ressort ressorts bereich",
    "fr": "categorie categories rubrique rubriques",
    "es": "categoria categorias seccion secciones",
    "pt": "secao secoes editoria editorias canal canais",
    "it": "categoria categorie sezione sezioni rubriche rubrica",
    "nl": "categorie sectie",
    "sv": "kategori kategorier avdelning",
    "pl": "kategoria kategorie dzial dzialy",
    "cs": "kategorie rubrika sekce",
    "hu": "kategoria rovat rovatok",
    "tr": "kategori kategoriler bolum",
    "ru": "category rubric rubrics rubrika rubriki razdel рубрика раздел категория",
    "bs": "kategorija kategorije rubrike",
    "id": "kategori kanal indeks",
    "ar": "تصنيف قسم اقسام أقسام القسم",
    "fa": "دسته",
}

TAG: TABLE = {
    # The segment before a tag, a topic, a person: pages that cut across sections, usually by the thousand.
    "en": "tag tags tagged topic topics label labels keyword keywords person people author authors byline "
    "contributor contributors columnist columnists writer writers profile profiles user users staff "
    "archive-tag hashtag all-about reporter reporters journalist journalists",
    "de": "thema themen schlagwort schlagworte stichwort autor autoren autorin autorinnen redakteur person "
    "personen profil",
    "fr": "mot-cle mots-cles sujet sujets theme themes auteur auteurs dossier dossiers etiquette personne personnalite",
    "es": "tema temas etiqueta etiquetas autor autores autora firma firmas noticias-de perfil",
    "pt": "assunto assuntos marcador marcadores tudo-sobre colunista colunistas",
    "it": "tema argomento argomenti autore autori etichetta persone",
    "nl": "onderwerp onderwerpen auteur",
    "sv": "tagg amne forfattare skribent",
    "da": "emne emner forfatter",
    "no": "emneord emne forfatter",
    "pl": "temat tematy autor autorzy tagi",
    "cs": "stitek stitky tema temata autor autori",
    "hu": "cimke cimkek szerzo szerzok",
    "tr": "etiket etiketler konu konular yazar yazarlar",
    "ru": "tags tegi tema temy teg avtor avtory theme themes тег теги метка автор авторы",
    "uk": "temi тема теми",
    "fi": "avainsana aihe kirjoittaja",
    "sq": "etiketa",
    "id": "penulis topik",
    "vi": "chu-de tac-gia",
    "ar": "وسم وسوم كاتب الكاتب مؤلف",
}

UTILITY: TABLE = {
    # Pages about the site and its services.
    "en": "search login signin sign-in signup sign-up register registration subscribe subscription subscriptions "
    "account my-account about about-us aboutus contact contacts contact-us contactus privacy privacy-policy "
    "terms terms-of-use terms-of-service terms-and-conditions tos legal imprint cookies cookie-policy copyright "
    "disclaimer accessibility feedback help faq faqs support advertise advertising advertise-with-us advert "
    "newsletter newsletters rss feed feeds rssfeed shop store cart checkout sitemap site-map careers jobs "
    "masthead team our-team donate membership press-room epaper e-paper eedition corrections "
    "cdn-cgi wp-admin wp-login wp-content wp-json xmlrpc oembed share print logout preferences "
    "cookie-settings ethics ethics-policy editorial-standards user-agreement code-of-conduct",
    "de": "impressum datenschutz datenschutzerklaerung agb kontakt suche anmelden anmeldung registrieren abo abos "
    "abonnement abonnieren mediadaten werbung hilfe ueber-uns nutzungsbedingungen nutzungsbasierte-werbung "
    "barrierefreiheit stellenangebote redaktion leserservice newsletter-anmeldung",
    "fr": "recherche connexion inscription abonnement abonnements mentions mentions-legales contactez-nous "
    "a-propos qui-sommes-nous cgu cgv confidentialite publicite boutique plan-du-site aide newsletters",
    "es": "buscar buscador busqueda busca iniciar-sesion registro suscripcion suscripciones suscribete contacto "
    "contactenos quienes-somos aviso-legal politica-de-privacidad politicas-de-privacidad politica-de-cookies "
    "terminos-y-condiciones publicidad tienda mapa-del-sitio ayuda mi-cuenta condiciones-de-uso boletines",
    "pt": "pesquisa entrar cadastro assine assinatura contato contacto quem-somos fale-conosco anuncie "
    "politica-de-privacidade termos-de-uso expediente loja ajuda",
    "it": "cerca ricerca accedi registrati abbonamenti abbonati contatti contattaci chi-siamo note-legali pubblicita "
    "informativa-privacy redazione negozio mappa-del-sito",
    "nl": "zoeken inloggen abonneren over-ons voorwaarden adverteren privacybeleid",
    "sv": "sok logga-in prenumerera om-oss kontakta-oss annonsera kundservice",
    "da": "soeg log-ind abonner om-os annoncering kundeservice privatlivspolitik",
    "no": "sok logg-inn abonner om-oss annonse kundesenter personvern",
    "pl": "szukaj logowanie rejestracja prenumerata regulamin reklama polityka-prywatnosci o-nas wyszukiwarka sklep",
    "cs": "hledat vyhledavani prihlaseni registrace predplatne inzerce redakce kontakty o-nas",
    "hu": "kereses bejelentkezes regisztracio elofizetes impresszum kapcsolat mediaajanlat adatvedelem hirlevel rolunk",
    "tr": "arama uye-ol iletisim kunye hakkimizda gizlilik-politikasi kullanim-kosullari reklam abonelik",
    "ru": "poisk vhod registraciya podpiska kontakty reklama o-nas o-proekte pravila redakciya контакты реклама поиск",
    "uk": "poshuk pro-nas контакти",
    "bg": "za-nas kontakti реклама контакти",
    "bs": "pretraga kontakt o-nama uslovi-koristenja pravila-privatnosti",
    "fi": "haku kirjaudu tilaa yhteystiedot tietosuoja mediatiedot",
    "id": "cari masuk langganan tentang-kami hubungi-kami kontak-kami redaksi pedoman-media-siber privasi disclaimer",
    "vi": "tim-kiem dang-nhap lien-he gioi-thieu quang-cao",
    "ja": "kiyaku otoiawase toiawase",
    "ar": "بحث اتصل-بنا من-نحن سياسة-الخصوصية",
}

WORDS_IN_SLUGS: TABLE = {
    # Single words that give such a page away anywhere in a short slug: impressum-98, agb-und-widerruf.
    "en": "newsletter newsletters faq faqs imprint privacy cookie subscribe subscribenow login masthead mediakit "
    "disclaimer accessibility advertise sitemap syndication",
    "de": "impressum datenschutz datenschutzerklaerung datenschutzhinweise nutzungsbedingungen agb mediadaten dsgvo "
    "kontakt",
    "fr": "cgu cgv cookies",
    "es": "privacidad suscripcion",
    "hu": "impresszum",
    "pl": "regulamin prywatnosci",
}

SLUG_STARTS: TABLE = {
    # How the slugs of such pages begin.
    "en": "about- contact-us privacy-policy terms-of- terms-and- letters-to- editorial-policy how-to-submit copyright-",
    "de": "datenschutz",
}

ARTICLE: TABLE = {
    # The segment right before an article's own: /article/zttrp9q.
    "en": "article articles story news-article",
    "de": "artikel",
    "es": "articulo noticia",
    "it": "articolo",
    "no": "artikkel",
    "pl": "artykul",
    "cs": "clanek",
    "hu": "cikk",
    "ro": "articol",
    "tr": "makale",
    "ru": "statya статья",
}

VIDEO_HUB: TABLE = {
    # The site's page of videos.
    "en": "video videos",
    "de": "mediathek",
    "es": "videoteca",
    "fr": "vid\u00e9os",
    "tr": "videolar",
    "pl": "wideo",
    "cs": "videa",
    "fi": "videot",
    "ru": "\u0432\u0438\u0434\u0435\u043e",
}

TAIL: TABLE = {
    # Last segments that say how a page is shown, not which: the segment before them is judged.
    "en": "index default amp print p full single ampvwfs mobile comments embed home main all",
    "de": "druck drucken kommentare",
    "es": "imprimir",
    "fr": "imprimer",
}

MEDIA_FILE: TABLE = {
    # Endings of files that are no pages, by kind.
    "pictures": "jpg jpeg png gif webp svg ico bmp avif",
    "sound and film": "mp3 mp4 m4a m4v mov avi webm ogg wav m3u8",
    "documents": "pdf doc docx xls xlsx ppt pptx epub csv txt ics",
    "archives": "zip gz rar exe apk dmg",
    "data and code": "xml rss atom json js css woff woff2",
}

SCRIPT: TABLE = {
    # Endings of programs whose query says which page.
    "any": "php asp aspx jsp cfm ashx do cgi",
}

ARTICLES = _all(ARTICLE)
CATEGORIES = _all(CATEGORY)
MEDIA = _all(MEDIA_FILE)
SCRIPTS = _all(SCRIPT)
TAGS = _all(TAG)
TAILS = _all(TAIL)
UTILITIES = _all(UTILITY)
UTILITY_WORDS = _all(WORDS_IN_SLUGS)
VIDEO_HUBS = _all(VIDEO_HUB)
UTILITY_STARTS = tuple(sorted(_all(SLUG_STARTS)))
