"""Sentences in the text of a run that talk to whoever reads them, rather than tell what happened."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

WITHHELD: Final = "[withheld: text of the run that gives orders]"
_LONGEST: Final = 300
_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+|[\r\n]+")
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]"
)
_WHO: Final = r"(?:assistants?|agents?|ai|llms?|language models?|chat ?bots?|(?:the |this )?models? reading|claude|gpt|copilot|gemini|reader|operator)"
_TOLD: Final = r"(?:instructions?|prompts?|rules|guidelines|directions|orders|guardrails|polic(?:y|ies)|restrictions|system messages?)"
_PATTERNS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:ignore|disregard|forget|override|bypass|skip|drop|set aside)\b.{{0,40}}\b(?:{_TOLD}|above|previous|prior|earlier|evidence|findings?|diagnosis|context)\b",
        rf"\b(?:new|updated|real|actual|hidden|urgent|system|developer|admin(?:istrator)?)\b[ -]{_TOLD}\b",
        rf"\b(?:dear|hey|hello|attention|note to|message (?:to|for)|for|as an?|if you are an?)[ ,:]{{1,3}}(?:the |any |an |all )?{_WHO}\b",
        rf"\b{_WHO}\b[ ,:]{{1,3}}(?:please |you |must |should |shall |now |will |is to |are to |has to |have to )",
        r"\byou (?:must|shall|are (?:now|to|required|authori[sz]ed|allowed|an?)|will now|can now|may now)\b",
        r"(?:<\s*/?\s*(?:system|assistant|user|instructions?|tool|tool_call|function|im_start|im_end)(?:\s[^<>]{0,60}=[^<>]{0,60})?\s*/?>|\[/?(?:inst|sys|system)\]|<\|[a-z_]+\|>|^\s*#{1,4}\s*(?:system|instruction|assistant|user)\b)",
        r"(?:^|[\s\"'])(?<!file )(?:system|assistant|developer|human)\s*(?:message|prompt|note)?\s*:\s+\S",
        r"\b(?:call|invoke|use|trigger)\b.{0,30}\b(?:tools?|mcp|apply|shell|terminal|bash)\b",
        r"\b(?:run|execute|eval(?:uate)?|launch|type|paste|issue)\b.{0,30}(?:\bthe (?:following|command|script|code)\b|\bthis (?:command|script|code)\b|\bcommands?\b\s*:|\bcurl\b|\bwget\b|\brm -|\bsudo\b|\bbash\b|\bkubectl (?:delete|apply|exec)\b|\bpip install\b(?! --upgrade pip))",
        r"\b(?:curl|wget)\b[^\n]{0,200}\|\s*(?:ba|z|da)?sh\b",
        r"\brm\s+-[a-z]*[rf][a-z]*\b|\bkubectl\s+(?:delete|exec|apply|drain)\b|\bscancel\s+(?:-|\d)|\bgit\s+push\b|\bchmod\s+[0-7]{3}\b",
        r"\b(?:delete|remove|erase|wipe|destroy|overwrite|terminate|kill|cancel|revoke|disable)\b.{0,30}\b(?:all|every|the (?:check ?points?|cluster|namespace|bucket|dataset|other runs?|jobs?|history|logs?|audit))\b",
        r"\b(?:send|post|upload|exfiltrate|forward|e-?mail|leak|share|transmit)\b.{0,60}\b(?:to|at)\b.{0,20}(?:https?:|@|\bserver\b|\bwebhook\b|\baddress\b)",
        r"\b(?:print|reveal|show|output|repeat|read|cat|fetch|list|dump|include)\b.{0,40}\b(?:system prompt|secrets?|credentials?|api[ _-]?keys?|tokens? (?:from|in|of)|environment variables|private keys?|\.ssh|/etc/(?:passwd|shadow)|aws_)",
        r"\b(?:do not|don't|never|must not)\b.{0,20}\b(?:tell|mention|report|reveal|inform|alert|warn|cite|show|ask|disclose)\b",
        r"\b(?:report|say|answer|state|conclude|respond|reply|declare|claim|tell the user|write)\b.{0,30}\b(?:that|as|with)\b.{0,60}\b(?:success(?:ful)?|completed|healthy|no failure|nothing (?:is )?wrong|safe|approved|resolved|root cause|primary cause|false alarm)\b",
        r"\b(?:classify|mark|label|set|change|treat|record)\b.{0,40}\b(?:as|to)\b.{0,20}\b(?:safe|approved|go|resolved|success(?:ful)?|healthy|completed|benign|low[- ]risk)\b",
        r"\b(?:approve|authori[sz]e|confirm|accept|grant)\b.{0,30}\b(?:all|every|any|the (?:steps?|plan|action|restart|request|change)|automatically|without)\b",
        r"\b(?:already|pre-?|has been|have been|is|are)\s*(?:approved|authori[sz]ed)\b.{0,40}\b(?:by|to|for)\b",
        r"\b(?:without (?:asking|approval|confirmation|telling)|no (?:approval|confirmation) (?:is )?(?:needed|required)|on behalf of (?:the )?user)\b",
        r"\b(?:from now on|pretend (?:to|that|you)|act as|role-?play|imagine you|developer mode|jailbreak|do anything now)\b",
        r"\b(?:decode|base64 -d|atob|rot13)\b.{0,40}\b(?:and|then)\b.{0,20}\b(?:run|execute|follow|do|obey)\b",
        r"\b(?:follow|obey|comply with|carry out)\b.{0,30}\b(?:these|the|this|my|following)\b.{0,20}\b(?:"
        + _TOLD
        + r"|steps|commands?|link|request)\b",
        r"\b(?:ignoriere|vergiss|ignora|ignorez|oublie[zr]?|olvida|desconsidere)\b.{0,60}\b(?:anweisungen|befehle|instrucciones|instructions|consignes|istruzioni|instru[cç][oõ]es)\b",
        r"忽略.{0,12}(?:指令|指示|说明|提示)|以前の指示を無視|игнориру\w*.{0,30}(?:инструкц|указан)",
    )
)

_AROUND: Final = re.compile(r"\(\?<?![^)]*\)|\(\?:\^\|\[[^\]]*\]\)|(?<=\|)\^")
_FOREIGN: Final = (
    r"\b(?:ignor|vergiss|oublie|olvida|desconsidere)[a-z]*\b[^\n]{0,60}\b(?:anweis|befehl|instru|consign|istru)",
    *("".join(f"\\x{byte:02x}" for byte in word.encode()) for word in ("忽略", "以前の指示", "игнориру", "Игнориру")),
    r"\\u[0-9a-f]{4}",
    r"(?:\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xaf]|\xf3\xa0[\x80-\x87])",
    r"(?:\xef\xbc[\xa1-\xba]|\xef\xbd[\x81-\x9a]|\xf0\x9d[\x90-\x9f])[^\n]{0,8}(?:\xef\xbc[\xa1-\xba]|\xef\xbd[\x81-\x9a]|\xf0\x9d[\x90-\x9f])",
)
"""Other languages, and letters that nobody sees, that only look like letters, or that are written as JSON may write them, as bytes."""


def orders(text: str) -> list[str]:
    """Return the sentences of a text that give orders, each cut to 300 characters, in the order in which they stand."""
    return [sentence.strip()[:_LONGEST] for sentence in _SENTENCES.split(text) if _orders(sentence)]


def withheld(text: str) -> str:
    """Return a text with every sentence that gives orders replaced by a remark."""
    found = [sentence for sentence in _SENTENCES.split(text) if _orders(sentence)]
    for sentence in found:
        text = text.replace(sentence, WITHHELD)
    return text


def _orders(sentence: str) -> bool:
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", sentence[:2000]))
    return any(pattern.search(plain) for pattern in _PATTERNS)


def searched() -> list[str]:
    """Return patterns for bytes that find every place where `orders` may find something, and more: what is found is looked at again."""
    plain = [_AROUND.sub("", pattern.pattern) for pattern in _PATTERNS]
    return [*(pattern for pattern in plain if pattern.isascii()), *_FOREIGN]
