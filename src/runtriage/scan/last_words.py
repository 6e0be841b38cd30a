"""What a program says last: a sentence that refuses, as `sys.exit("...")` prints it, or words it said for the first time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from runtriage.model.event import CLOSING, EXCEPTION
from runtriage.model.pattern import deferred
from runtriage.scan.block import Block
from runtriage.scan.contract import LineReader
from runtriage.scan.dialects.header import message_start
from runtriage.scan.draft import Draft
from runtriage.scan.midway import midway
from runtriage.scan.traceback_frames import read_frame
from runtriage.scan.traceback_line import is_header, read_exception
from runtriage.scan.words_first import WordsFirst

NAME: Final = "SystemExit"
_Line = tuple[tuple[int, int], bytes]
"""Where a line stands in bytes, and what it says."""
_LINES: Final = 12
"""Lines at the end that are looked at."""
_FAREWELL: Final = 3
"""Lines that may take leave behind the one that says why."""
_LONGEST: Final = 600
_LEAST_WORDS: Final = 3
_REFUSES = WordsFirst(
    r"\brefus(?:e|es|ed|ing)\b|\baborting\b|\bgiving up\b|\bcan(?:not|'t|not be)\b|\bcould(?: not|n't)\b|\bunable to\b"
    r"|\bmust (?:not )?(?:be|have|contain|match|equal|divide|lie|come|exist|agree|add up)\b|\bnot (?:found|supported|allowed|available|enough|permitted|writable|readable)\b"
    r"|\bno such\b|\bdoes(?: not|n't) (?:exist|match|fit|have|contain)\b|\bis missing\b|\bmissing (?:required|key|column|file|field)"
    r"|\bunknown(?=[;,.:]|$)|\b(?:signal|on signal) \d{1,2}$"
    r"|^\W{0,4}ERR\b|\b(?:memory|rss|vram|ram|disk)\b.{0,60}\breached\b.{0,24}\b(?:limit|budget|cap|ceiling|maximum)\b"
    r"|, expected \S|\bexpected [\w.'\"-]{1,40},? (?:not )?(?:got|found|but)\b|\b(?:is|are) not (?:the|what)\b"
    r"|\binvalid\b|\bunsupported\b|\bused up\b|\bexhausted\b|\bexceed(?:s|ed)\b|\bmismatch\b"
    r"|\bexpected\b.{1,60}\b(?:got|found|but)\b|, wanted\b|\bwanted\b.{1,60}\b(?:got|found|but|is|are)\b|\bfailed to\b|^\W{0,4}(?:fatal|error)\b|\berror: (?!-?[\d.])|\b(?:far )?below\b"
    r"|\bbut (?:this|the|only|it|got|found|has|have|was|were|is|are|there)\b|\bsees? no\b|\b(?:has|have) (?:no|zero|an? (?:non-positive|negative|unknown|wrong))\b"
    r"|\bis not (?:an? )?(?:multiple|divisible|one of|in|valid|registered|set|defined|readable|finite|directory|file|installed|known|empty|equal)\b"
    r"|\bnot started\b|\bin state \W?(?:failed|error)\b|\bdid not (?:finish|complete|succeed)\b|\bnot (?:start|train|releas|publish|promot|deploy|continu|proceed|upload|regist)ing\b"
    r"|\b(?:ha(?:s|ve)|needs?) to be\b|\b(?:holds?|contains?) no\b|\blacks\b|\b[\d.]+ (?:\w+ )?(?:is |are )?needed\b|\b(?:is|are) failed\b"
    r"|\bneeds? [\d.]+ ?\w{1,8}\b.{1,40}\bha(?:s|ve) (?:only )?[\d.]+|\bwill not (?:be )?(?:run|start|train)"
    r"|\bfound (?:0|no|none)\b|\bnothing (?:usable|found|left)\b|\bno usable\b|\bis not one of\b|\bexcludes?\b|\bgave up\b|^\W{0,4}interrupted\b|\bis none of\b|\bwhere \d+ (?:was|were|is|are)\b"
    r"|\bexit(?:ed)? (?:with )?(?:code |status )?[1-9]|\b(?:is|are|was|were) (?:corrupt\w*|truncated|unreadable|malformed|undefined|unrecogni[sz]ed|unknown|illegal|incompatible)\b|^\W{0,4}(?:unknown|unrecogni[sz]ed|incompatible|corrupt)\b"
    r"|\btoo (?:small|large|few|many|low|high|short|long|old)\b|\binsufficient\b|\bnothing to (?:train|do)\b|\bdenied\b|\bforbidden\b",
)
_PLAIN = deferred(r"(?<![\w./-])[A-Za-z]{2,}(?![\w/=-])")
_LEAST_PLAIN: Final = 4
"""Words that make a sentence, rather than a row of a table or of keys and values."""
_NAMES = deferred(r"[\d:/'\"`=_]|\w[.-]\w|\btable\b|\bcolumn\b|\brows\b|\blabels\b|\bdata ?set\b|\bmodel\b")
"""What a sentence about this very run holds: a number, a name, a path, or what it is about."""
_NO_END = WordsFirst(
    r"\b(?:INFO|WARN(?:ING)?|DEBUG|NOTICE)\b|warning|\bskip|\bignor|retry|\b(?:is|are|was|were) (?:to be )?(?:expected|harmless)\b(?! to| but)|\bcontinu|falling back|fell back|\bwill\b|\bset \w+ to\b|\binstead\b|early stop"
    r"|^\W{0,4}(?:\w+ ){0,2}(?:wrote|written|exported|kept|removed|stored|uploaded|best)\b|improve|\bcomplet|finish|\bsaved\b|\bdone\b|recover|\bnot? (?:an )?errors?\b|\bwandb\b|^\s{0,8}(?:warnings\.|raise |return )|[?{\[(,]\s{0,3}$",
)
_COMPLAINS = WordsFirst(
    r"\b(?:no|not|none|never|neither|nothing|without|absent|missing|lacks?|lacking|empty|nowhere)\b|(?:n't|n\u2019t)\b"
    r"|\b(?:differs?|disagrees?|conflicts?|clash\w*|outside|beyond|exceed\w*|overflow\w*|overlaps?|(?:larger|smaller|longer|shorter|higher|lower|more|fewer|less) than)\b"
    r"|\b(?:failed|fails|refused|rejected|gave up|died|broke|unreadable|incomplete|unsupported|illegal|wrong|bad|broken|corrupt\w*|damaged|duplicated?|twice|full|unexpected|undefined|unavailable|expired|lost)\b"
    r"|\b(?:needs?|wants?|requires?|must|expected|asked for|should (?:have|be)|supposed to|only|0 (?:bytes|rows|examples|samples|files|images|records|items|lines))\b"
    r"|\b(?:nans?|infs?)\b",
)
"""Words of a complaint about something, of which many a good end holds one as well: they count only in the very last line."""
_SCORED = deferred(
    r"\b(?:f1|acc\w*|auc|bleu|rouge|loss|dev|val\w*|test|scores?|error|ppl|perplexity|mse|rmse|mae|wer|reward|r2)\b[^\d]{0,12}\d+\.\d",
    re.IGNORECASE,
)
"""A line that reports a score."""
_WITH_SCORE = deferred(
    r"[;,] (?:\w+ ){0,2}(?:f1|acc\w*|auc|bleu|loss|score|ppl|wer|reward) [\d.]+\W{0,2}$", re.IGNORECASE
)
_STEPS = deferred(
    rb"\b(?:epoch|step|iter\w*|round|update|(?<!micro )(?<!global )(?<!mini )batch)\W{0,4}\d", re.IGNORECASE
)
"""Progress: behind it a remark is as likely as a complaint."""
_NOUGHT = deferred(r"\b[\w ]{1,40}(?:: |=)0(?![.\d])|\b0 (?:errors?|failed|failures|skipped|missing)\b", re.IGNORECASE)
"""A count of what there was none of."""
_LEVEL = deferred(
    r"^.{0,60}?\b(?:ERROR|CRITICAL|FATAL)\b(?!s?\W{0,3}(?:=|\d))|^[EF] [a-z]\w{1,24}: |^\W{0,2}<[45]0> "
    r"|^.{0,60}?[\[【(<|](?:错误|严重|致命|エラー|오류|ОШИБКА|FEHLER|ERREUR|ERRORE|ERRO|HATA|FOUT|FEL|CHYBA)[\]】)>|]"
)
_MILD = deferred(
    r"^.{0,60}?(?:\b(?:INFO|NOTICE)\b|[\[【(<|](?:信息|提示|情報|정보|ИНФО|HINWEIS|INFORMATION|INFORMACIÓN|BILGI)[\]】)>|]|^\W{0,2}<20> )"
)
"""A line of a level that no failure has."""
_LEAVES = WordsFirst(
    r"\bbye\b|^\W{0,4}(?:stopp(?:ed|ing)|abort(?:ed|ing)|terminat(?:ed|ing)|exiting|leaving|quitting|ending here|that is all)\b"
    r"|\b(?:nothing|no \w+) (?:was|were|is|has been|have been) (?:changed|written|saved|done|made|kept|trained|published|started)\b|\b(?:thrown away|discarded|left untouched|rolled back)\b"
    r"|^\W{0,4}(?:the )?(?:run|training|job|program) (?:was |is |has )?(?:not (?:been )?started|did not start|stops? here|ends? here|abandoned|called off)\b|^\W{0,4}no \w+ (?:today|this time|for now)\b",
)
"""Takes leave, and does not say why."""
_NO_MORE = deferred(
    r"\W{0,6}(?:[\w.]{1,24}\]?:? )?(?:the |this )?(?:run|train(?:ing)?|job|program|experiment|task|process|main)?(?: (?:is|was|has|has been))? ?(?:aborted|aborting|exiting|quitting|stopping|stopped|failed|terminated|bye|giving up)(?: now| here)?\W{0,4}$",
    re.IGNORECASE,
)
"""Says that it is over and not why; the reason stands above."""
_ASIDE = WordsFirst(
    r"track|telemetr|wandb|mlflow|tensorboard|metrics? (?:server|push)|notif|slack|e-?mail|webhook|progress|heartbeat|logger|cleanup|clean up|close",
)
"""What a program reports on besides its work, and goes on or ends well without."""
_ASKS: Final = 7
"""Words of a question that says what is wrong, and is not one to somebody who watches."""
_DEFINITE = WordsFirst(
    r"\bexit(?:ed)? (?:with )?(?:code |status )?[1-9]\d{0,2}\b|\b(?:left|ended|quit|returned|died) with (?:code |status |rc )?[1-9]\d{0,2}(?![\d.%])|^\W{0,4}(?:bailing out|leaving|quitting|exiting) ?(?:with )?\W{0,2}[1-9]\d{0,2}\W{0,2}$|\bdid not (?:finish|complete|succeed)\b"
    r"|\b(?:not (?:start|train|releas|publish|promot|deploy|continu|proceed|upload|regist)ing|will not (?:be )?(?:run|start|train)\w*)\b"
    r"|\brefus(?:es|ed|ing) to\b|\bfailed \W?(?:rc|code|status|exit)[ =:]{1,3}[1-9]",
)
"""Says itself that something ended badly, whatever else the sentence says will not be done now."""
_AGAIN = deferred(
    r"\bstart(?:ing|ed) (?:it |them )?again\b|\b(?:restart|respawn|retry|try)ing\b|\bgoing on\b", re.IGNORECASE
)
"""What a program does next about a part of it that ended badly."""
_UNDER_WAY = WordsFirst(
    r"^\W{0,8}(?:[a-z]{3,14}ing|launch|start|load|save|step|epoch|iter\w*|batch|global_step)\b|\b(?:now|currently|waiting|starting|loading|saving|writing|running|evaluating|validating|resuming|downloading|compiling)\b"
    r"|fail|error|exception|abort|kill|signal|\bSIG[A-Z]|time ?out|timed out|\blost\b|stuck|hang|hung|warn|retry|refus|denied|cannot|can't|could not|unable|missing|invalid|crash|interrupt|terminat"
    r"|\bbad\b|broken|damaged|corrupt|truncat|expected|halted|mismatch|exceed|\bERR\b|unknown|\bshort (?:read|write)|\breached\b.{0,24}\b(?:limit|budget|ceiling)"
    r"|\bnan\b|\binf\b|NCCL|\brank\b|[.]{3}\s*$|[:,({\[=]\s*$|\d ?%\||it/s|s/it",
)
_JSON_LEVEL = deferred(r'"(?:level|levelname|severity|log_?level|lvl)": ?"(?P<level>[A-Za-z]{3,9})"', re.IGNORECASE)
_JSON_WORDS = deferred(r'"(?:msg|message|event|error|reason|text)": ?"(?P<words>[^"\\]{3,500})')
_RULE: Final = deferred(rb"[-=*#~_]{3,200}")
_HEADING: Final = deferred(rb"[-=*#~_]{3,200} {0,3}\w[\w ,.:=-]{1,60}? {0,3}[-=*#~_]{3,200}")
_SET_IN: Final = deferred(rb"\s{1,12}[>|*+.-] ")
_NUMBER: Final = deferred(rb"[0-9]+(?:[.][0-9]+)?")
_BEFORE: Final = 32 * 1024
_OF_A_KERNEL: Final = deferred(
    rb"\s{0,4}(?:<\d{1,3}>)?\[ {0,8}(?:\+ {0,8})?\d{1,9}\.\d{3,9}\] |\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}\] "
    rb"|(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT[\d:.]{8,15}(?:Z|[+-]\d\d:?\d\d)?) [\w.-]{1,80} (?:kernel|systemd(?:-\w{1,20})?)(?:\[\d{1,9}\])?: "
)
"""The front of a line that a kernel or the first process of a machine writes: it speaks for no program."""
_RESULT = WordsFirst(
    r"\b(?:done|finish\w*|complet\w*|succe\w+|saved|wrote|written|export\w*|upload\w*|publish\w*|pushed|stored|kept|removed|skipped|converged|consumed|passed|good ?bye|bye|best|final|total|elapsed|took|wins?|won)\b|\bweights are in\b"
    r"|(?<![\d.])\d+\.\d+(?![\d.])|\d ?%|[=:] ?-?\d|\b\d+ of \d+\b|\b\d[\d,]* [a-z]{3,}s\b|\b\d[\d,.]*$|[^\x00-\x7f]",
)
"""What was done, or a value: a sentence that holds neither tells of something, and not that the work came to its end."""
_WELL = deferred(
    r"^\W{0,4}(?:all |the |that(?:'s| is|s) |we(?:'re| are) |i(?:'m| am) )?(?:good|well|fine|ok(?:ay)?|ready|over|set|clear|there|end|all|it|fin|ende|fertig|ciao|adieu|cheers|thanks?|thank you)\W{0,4}$",
    re.IGNORECASE,
)
_AFTERWARDS = deferred(
    r"\s*$|make(?:\[\d+\])?: \*\*\* |srun: |slurmstepd: |\s*\[?[EWI]\d{4} \d\d:|.{0,40}\b(?:exit(?:ed|s)?|return(?:ed)?|rc|status)\b.{0,24}(?<![\d.])\d{1,3}\W{0,4}$"
    r"|(?:ERROR|WARNING|INFO):torch\.distributed|wandb: |(?:.{0,200}: line \d{1,6}: {1,4}\d{1,9} )?Aborted\b"
    r"|.{0,40}(?:返回码|退出码|返回值|终止码|終了コード|終了ステータス|종료 코드|код (?:возврата|завершения|выхода)|code (?:de )?(?:sortie|retour)|c[oó]digo de sa[lií]+da|Rückgabe(?:wert|code))\D{0,8}[1-9]\d{0,2}\D{0,4}$"
    r"|(?:\S{1,40}\s)?(?:\[?rank ?\d{1,6}\]?:\s)?(?:Last error:|nccl[A-Z]\w{4,24}Error: )"
    r"|Execution halted\s*$|Calls: |\s{1,8}at [\w.$/<>-]{3,300}\([^()]{1,120}\)\s*$|\s{1,8}\.{3} \d{1,4} (?:more|common frames omitted)",
    re.IGNORECASE,
)

_OF_JAVA = deferred(r"\s{1,8}at [\w.$/<>-]{3,300}\([^()]{1,120}\)\s*$")
"""A frame of Java or Scala: the line above the first of them tells of an exception that left its thread."""


def last_words(block: Block, reader: LineReader) -> tuple[Draft, bytes] | None:
    """Return what stands last in the artifact and refuses or is new there, with the key of its speaker; None where it is neither."""
    lines = list(_from_end(block))
    begun = any(_STEPS.search(line) for _, line in lines)
    lines = lines[_below_what_is_shown(lines) or _below_what_is_quoted(lines) :]
    farewell, stack = _below_a_farewell(lines, reader), False
    for (start, end), line in lines[farewell:]:
        if _OF_A_KERNEL.match(line):
            return None
        length, key = reader.speaker(line)
        text = _in_record(_unboxed(line[length:].decode("utf-8", "replace")))
        words = text[message_start(text) :].strip()
        if _AFTERWARDS.match(text) or _AFTERWARDS.match(words) or not any(letter.isalpha() for letter in text):
            continue
        if _NO_MORE.match(words):
            continue
        complains = not (begun or refuses(text)) and _complains(text, words) and not _said_before(block, start, line)
        reason, farewell = farewell > 0, 0
        if not (complains or reason or refuses(text)):
            new = start > 0 and _ends(text, words) and not _said_before(block, start, line)
            new = new and not midway([other.decode("utf-8", "replace") for _, other in lines])
            return (Draft(kind=CLOSING, name="own", start=start, end=end), key) if new else None
        captures = {"message": words, "bare": "yes", "said": "yes"} | ({"complains": "yes"} if complains else {})
        captures |= {"leaves": "yes"} if reason or stack or _DEFINITE.found(words) else {}
        draft = Draft(kind=EXCEPTION, name=NAME, start=start, end=end, captures=captures, numbers={"frames": 0.0})
        return draft, key
    return None


def _below_a_farewell(lines: Sequence[_Line], reader: LineReader) -> int:
    """Return how many of the last lines only take leave, where one of the few above them says why; 0 where none does."""
    told = [(at, line[reader.speaker(line)[0] :].decode("utf-8", "replace")) for at, (_, line) in enumerate(lines)]
    told = [(at, text) for at, text in told if text.strip()][: _FAREWELL + 1]
    for index, (at, text) in enumerate(told):
        if index and (refuses(text) or _is_reason(text)):
            return at
        if not (_LEAVES.found(text[message_start(text) :]) or _MILD.match(text)) or refuses(text):
            return 0
    return 0


def _is_reason(text: str) -> bool:
    """Tell whether a line above a farewell is a sentence with what it is about, and neither progress nor a good result."""
    words = text[message_start(text) :].strip()
    if len(words) >= _LONGEST or len(_PLAIN.findall(words)) < _LEAST_WORDS or _NAMES.search(words) is None:
        return False
    if is_header(text) or read_frame(text) or read_exception(text, after_frames=False) or _STEPS.search(words.encode()):
        return False
    return not (_NO_END.found(text) or _SCORED.search(text)) and _COMPLAINS.found(_NOUGHT.sub("", words))


def _below_what_is_shown(lines: Sequence[_Line]) -> int:
    """Return how many of the last lines are a text that the program shows between a ruled heading and a rule; 0 where none is."""
    told = [(index, line.strip()) for index, (_, line) in enumerate(lines) if line.strip()]
    if not told or not _RULE.fullmatch(told[0][1]):
        return 0
    for index, line in told[1:]:
        if _RULE.fullmatch(line):
            return 0
        if _HEADING.fullmatch(line):
            return index
    return 0


def _below_what_is_quoted(lines: Sequence[_Line]) -> int:
    """Return how many of the last lines are set in below a sentence that refuses, as what it is about; 0 where none are."""
    told = [(index, line) for index, (_, line) in enumerate(lines) if line.strip()]
    inner = next((at for at, (_, line) in enumerate(told) if not _SET_IN.match(line)), 0)
    if not inner:
        return 0
    index, line = told[inner]
    return index if refuses(line.decode("utf-8", "replace")) else 0


def _unboxed(text: str) -> str:
    """Return a line without the frame that command-line libraries draw around what they refuse."""
    return text.strip("│╭╮╰╯─┃ ") if text[:1] in "│╭╰┃" else text


def _in_record(text: str) -> str:
    """Return what a record of a logger that writes JSON says, behind its level; any other line as it is."""
    if text[:1] != "{":
        return text
    level, words = _JSON_LEVEL.search(text), _JSON_WORDS.search(text)
    return f"{level['level'].upper()} {words['words']}" if level and words else text


def refuses(text: str) -> bool:
    """Tell whether a line is a sentence with which a program leaves, and not one of a program that goes on."""
    words = text[message_start(text) :].strip()
    if len(words) >= _LONGEST or len(words.split()) < _LEAST_WORDS:
        return False
    asks = words.endswith("?") and len(words.split()) >= _ASKS
    if (_NO_END.found(text.rstrip("?") if asks else text) or _WITH_SCORE.search(words)) and not _DEFINITE.found(words):
        return False
    if _AGAIN.search(words):
        return False
    if is_header(text) or read_frame(text) or read_exception(text, after_frames=False):
        return False
    if _LEVEL.match(text) and not _ASIDE.found(text):
        return True
    return _NAMES.search(words) is not None and (_REFUSES.found(words) or _DEFINITE.found(words))


def _complains(text: str, words: str) -> bool:
    """Tell whether a sentence that stands at the very end is about what was wrong, and neither a result nor a count of nothing."""
    if len(words) >= _LONGEST or len(_PLAIN.findall(words)) < _LEAST_PLAIN or _SCORED.search(text):
        return False
    if _NO_END.found(text.rstrip("?") if len(words.split()) >= _ASKS else text) or _ASIDE.found(text):
        return False
    if (
        is_header(text)
        or read_frame(text)
        or read_exception(text, after_frames=False)
        or words.endswith((":", ",", "("))
        or (words.endswith("?") and len(words.split()) < _ASKS)
    ):
        return False
    return _COMPLAINS.found(_NOUGHT.sub("", words))


def _ends(text: str, words: str) -> bool:
    """Tell whether a line reads like a result, and not like something that is under way or went wrong."""
    if len(words) >= _LONGEST or len(words.split()) < 2 or _UNDER_WAY.found(text):
        return False
    if _complains(text, words) or not (_RESULT.found(words) or _is_end(words) or _HEADING.fullmatch(text.encode())):
        return False
    return not (is_header(text) or read_frame(text) or read_exception(text, after_frames=False))


def _is_end(words: str) -> bool:
    """Tell whether a line of a word or two, which hold no result, says that all is well: `shard 42 gone` is about a part of the work."""
    return len(_PLAIN.findall(words)) < _LEAST_WORDS and _WELL.search(words) is not None


def _said_before(block: Block, start: int, line: bytes) -> bool:
    """Tell whether a line of the same shape stands further up, as far as that is looked at; of a line that is not ended, one that begins so."""
    shape = _NUMBER.sub(b"0", line).strip()
    above = block.slice(max(start - _BEFORE, 0), max(start - 1, 0))
    shapes = (_NUMBER.sub(b"0", other).strip() for other in above.replace(b"\r", b"\n").split(b"\n"))
    if block.data[block.high - 1 : block.high] == b"\n":
        return shape in shapes
    begun = shape.rstrip(b".")
    return any(other.startswith(begun) for other in shapes)


def _from_end(block: Block) -> Iterator[_Line]:
    data, end = block.data, block.high
    for _ in range(_LINES):
        if end <= 0:
            return
        start = data.rfind(b"\n", 0, end) + 1
        back = data.rfind(b"\r", start, max(end - 1, start)) + 1
        begin = max(start, back)
        yield (begin, end), block.slice(begin, end).rstrip(b"\r")
        end = start - 1
