"""The files of a site's sitemap tree: which are to be read, in what order, and what came of each."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

from sitediscover.errors import FetchError, RateLimited, RobotsDisallow, SiteStopped, Unreachable
from sitediscover.judge import best_name_first, says_news
from sitediscover.parse.sitemap import SitemapKind
from sitediscover.strategies.common_paths import MAX_REFUSALS, MAX_SOFT_404
from sitediscover.urls import host_of, origin_of
from sitediscover.walk.children import Child, Plan, children_of
from sitediscover.walk.file import SitemapFile, status_of_answer, status_of_error
from sitediscover.walk.model import SitemapStatus
from sitediscover.walk.names import best_first
from sitediscover.walk.rows import Result, Task, row_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitediscover.fetch import Stream
    from sitediscover.site import Site
    from sitediscover.walk.rows import Row

STEP = "walk"
"""The step of a walk's requests in the log."""

MAX_PENDING = 200_000
"""Files kept in mind at once: an index of indexes of indexes could name any number."""

# Fields of a result that has nothing to tell but its address and figures: nearly all have no more.
_PLAIN_RESULT = Result._fields.index("status")
_ONLY_NAMED = (SitemapStatus.OFF_SITE, SitemapStatus.TOO_DEEP)

MAX_SILENT = 3
"""Files in a row that an origin gives no answer for before the others are left for another day."""


class Tree:
    """A site's sitemap files, one at a time.

    Args:
        site: the site.
        plan: what is taken.
        pending: rows of the files that are to be read.
        reports: rows of those that were.

    Attributes:
        queue: the files that are to be read, next first.
        reports: what came of the others.
    """

    def __init__(self, site: Site, plan: Plan, pending: Iterable[Row] = (), reports: Iterable[Row] = ()) -> None:
        self.site = site
        self.plan = plan
        self.queue: deque[Row] = deque(pending)
        self.reports: list[Row] = list(reports)
        self._aside: list[Row] = []
        self._silent: dict[str, list[tuple[Row, FetchError]]] = defaultdict(list)
        self._read: set[str] = set()
        self._known = {str(row[0]) for row in self.queue}
        for row in self.reports:
            if len(row) <= _PLAIN_RESULT:
                self._read.add(str(row[0]))
            else:
                self._remember(Result.of(row))
        self._known |= self._read
        self._bad_guesses: dict[bool, list[SitemapStatus]] = defaultdict(list)

    @property
    def pending(self) -> list[Row]:
        """Return the files that are to be read and were not, also those whose host does not answer for now."""
        silent = [row for rows in self._silent.values() for row, _ in rows]
        return [*silent, *self.queue, *self._aside]

    def add(self, urls: Iterable[str], *, guess: bool = False) -> None:
        """Put files at the end of the queue, those whose name says news first, each once.

        Args:
            urls: their addresses.
            guess: they may not exist: the first of its kind that does is the last one that is asked for.
        """
        fresh = [url for url in best_name_first(urls) if url not in self._known]
        self._known.update(fresh)
        self.queue.extend(row_of(Task(url=url, guess=int(guess))) for url in fresh)
        self._reorder()

    def open(self) -> SitemapFile | None:
        """Ask for the next file that lists pages; read the indexes on the way to it.

        Returns:
            The file, None where there is none left or the site is not to be asked any more.
        """
        while self.queue and self.site.stopped is None:
            row = self.queue.popleft()
            try:
                file = self._ask(row)
            except BaseException:  # interrupted: it is still to be read
                self.queue.appendleft(row)
                raise
            if file is not None:
                return file
        if self.site.stopped is None:
            self._settle()
        return None

    def siblings(self, file: SitemapFile) -> tuple[str, ...]:
        """Return the other children of a file's index."""
        if file.task.parent is None:
            return ()
        named: list[Task | Result] = [*map(Task.of, self.queue), *map(Result.of, self.reports)]
        return tuple(other.url for other in named if other.parent == file.task.parent and other.url != file.url)

    def finish(self, file: SitemapFile) -> None:
        """Note what came of a file that was read to its end."""
        if file.task.guess and file.is_empty:
            self._weigh_guess(file.url, file.status)
        self._report(
            file.task,
            file.status,
            kind=file.kind.value,
            entries=file.read,
            trust=file.trust,
            error=file.error,
            final_url=file.final_url if file.final_url != file.url else None,
            closed=file.closed,
            older=file.older,
            off_site=file.off_site,
            skipped=file.skipped,
            truncated=int(file.truncated),
            dropped=file.dropped,
        )

    def _ask(self, row: Row) -> SitemapFile | None:
        task = Task.of(row)
        if task.url in self._read:
            self._report(task, SitemapStatus.REPEATED)
            return None
        if len(self._silent[origin_of(task.url)]) >= MAX_SILENT:
            self._aside.append(row)
            return None
        try:
            stream = self.site.stream(task.url, step=STEP)
        except SiteStopped:
            self.queue.appendleft(row)
        except RateLimited as error:  # another host's: this site goes on
            self.site.fail(STEP, task.url, error)
            self._aside.append(row)
        except Unreachable as error:
            self._silent[origin_of(task.url)].append((row, error))
        except FetchError as error:
            self._failed(task, error)
        else:
            return self._take(task, stream)
        return None

    def _failed(self, task: Task, error: FetchError) -> None:
        self.site.fail(STEP, task.url, error)
        if task.guess and not isinstance(error, RobotsDisallow):  # which costs nothing, and says nothing of the others
            self._weigh_guess(task.url, status_of_error(error))
        self._report(task, status_of_error(error), error=f"{type(error).__name__}: {error.detail}")

    def _settle(self) -> None:
        """Give up what did not answer; where a whole origin did not, its files stay pending."""
        for rows in self._silent.values():
            self._answered(rows)

    def _answered(self, silent: list[tuple[Row, FetchError]]) -> None:
        if len(silent) >= MAX_SILENT:
            for row, error in silent:
                self.site.fail(STEP, str(row[0]), error)
            return
        for row, error in silent:
            self._failed(Task.of(row), error)
        silent.clear()

    def _take(self, task: Task, stream: Stream) -> SitemapFile | None:
        """Look at an answer: return it where it lists pages, take its children where it is an index."""
        self._answered(self._silent[origin_of(task.url)])
        final = stream.final_url
        status = status_of_answer(stream)
        if final != task.url and final in self._read:
            status = SitemapStatus.REPEATED
        if status is not SitemapStatus.OK:
            stream.close()
            if task.guess:
                self._weigh_guess(task.url, status)
            error = f"HTTP {stream.status}" if stream.status != 200 else None  # noqa: PLR2004 - OK
            self._report(task, status, error=error, final_url=final if final != task.url else None)
            return None
        file = SitemapFile(task, stream, self.site.session.clock.time())
        if task.guess and not file.is_empty:
            self._weigh_guess(task.url, SitemapStatus.OK)
        if file.kind not in (SitemapKind.INDEX, SitemapKind.ERROR):
            return file
        children = self._children(file) if file.kind is SitemapKind.INDEX else ()
        self.finish(file)
        self._enqueue(children)
        return None

    def _children(self, index: SitemapFile) -> tuple[Child, ...]:
        return children_of(
            index,
            self.plan,
            known=self._known,
            site=self.site.origin,
            hosts={host_of(index.final_url), *map(host_of, self.site.robots.sitemaps)},
            number=len(self.reports),
            room=max(0, MAX_PENDING - len(self.queue)),
        )

    def _enqueue(self, children: Iterable[Child]) -> None:
        """Put the children of an index in front of the queue; report those that are not asked for."""
        wanted = [child.task for child in children if child.status is None]
        for child in children:
            if child.status is not None:
                self._report(child.task, child.status)
        self._known.update(task.url for task in wanted)
        self.queue.extendleft(row_of(task) for task in reversed(wanted))
        self._reorder()

    def _weigh_guess(self, url: str, status: SitemapStatus) -> None:
        """Give up guessing once a guess has brought a file, or where a wall or a page stands behind any address."""
        kind = says_news(url)
        bad = self._bad_guesses[kind]
        if status is SitemapStatus.ABSENT:
            bad.clear()
        bad.append(status)
        refused = bad.count(SitemapStatus.BLOCKED) + bad.count(SitemapStatus.UNREACHABLE)
        if status is SitemapStatus.OK or refused >= MAX_REFUSALS or bad.count(SitemapStatus.SOFT_404) >= MAX_SOFT_404:
            self.queue = deque(
                row for row in self.queue if not Task.of(row).guess or says_news(str(row[0])) is not kind
            )

    def _reorder(self) -> None:
        """Put the best names of the whole tree first, where the plan is to look for news only.

        Among the others the files nearest to the top go first: an index there may name the news.
        """
        if self.plan.news_first:
            rows = {str(row[0]): row for row in self.queue}
            stubs = best_first(Task.of(row).stub(self.reports) for row in self.queue)
            stubs.sort(key=lambda stub: (not says_news(stub.url), stub.depth))
            self.queue = deque(rows[stub.url] for stub in stubs)

    def _report(self, task: Task, status: SitemapStatus, **told: str | int | None) -> None:
        result = Result(url=task.url, parent=task.parent, depth=task.depth, status=status.value, **told)  # type: ignore[arg-type]
        self.reports.append(row_of(result))
        self._remember(result)

    def _remember(self, result: Result) -> None:
        """A file that was only named may be named again: higher up, or by an index that may name it."""
        if result.status not in _ONLY_NAMED:
            urls = {url for url in (result.url, result.final_url) if url}
            self._read |= urls
            self._known |= urls
        elif result.status == SitemapStatus.OFF_SITE:
            self._known.add(result.url)
