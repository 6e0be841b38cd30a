"""What an evaluation, its data, its weights and its scores are called, and which of these words together say that it measures something else."""

from __future__ import annotations

from typing import Final

EVAL: Final = (
    r"(?<![a-z])(?:eval\w*|valid\w*|val|tests?|tested|testing|dev|hold[ -]?out|held[ -]?out|inference|predict\w*|serving|served|production"
    r"|deploy\w*|scor(?:ed|ing|er)|harness|query|probe|gallery|back-?test\w*|out-of-(?:time|sample|fold)|cv|benchmark\w*|submission|online|leaderboard|va|tst)(?![a-z])"
)
TRAIN: Final = r"(?<![a-z])(?:(?:re|pre-?)?train\w*|fit(?:ted)?|learnt|learned|(?:fine-?)tun\w*|tr|trn)(?![a-z])"
_BE_NOT: Final = r"(?:(?:do|does|did|is|are|was|were|can|could)(?: not|n't)|cannot|not|never) (?:be |been )?"
DIFFERS: Final = (
    r"(?<![a-z])(?:mis-?match\w*|mis-?align\w*|out of order|differ(?:s|ed|ent|ently|ing|ences?)?|disagree\w*|inconsistent\w*|incompatible|wrong|other than|out of sync"
    rf"|{_BE_NOT}(?:match\w*|line up|agree\w*|correspond\w*|equal|reproduc\w*|identical|the (?:same|ones?)|aligned|compatible|comparable)"
    r"|invert\w*|flipped|permut(?:ed|ation)|swapped|reversed|shifted|off by one|instead of|although|rather than|diverges? from|unlike|moved away|unequal|(?:not|un)-? ?alike|dissimilar|is not the \w+ one|out of step|(?:an)?other (?:\w+ ){1,3}than|other (?:numbers?|values?|results?|scores?)|no longer the|(?:not|n't) (?:\w+ ){1,4}(?:as|like) (?:the|in|at|for|during))(?![a-z])"
)
ABSENT: Final = rf"{_BE_NOT}(?:found|applied|loaded|available|used|saved|restored|copied|swapped|set)|(?<![a-z])(?:missing|skipped|without)(?![a-z])"
SHARED: Final = r"(?<![a-z])(?:overlap\w*|leak\w*|contaminat\w*|in common|shared?(?: by| between| with| across)?|duplicat\w*|verbatim|both|also|already|as well as|return(?:s|ed|ing)? in|recur\w*|re-?appear\w*|comes? back|known from|heard in|(?:near-?)?(?:identical|duplicates?)|twins?|(?<!not )(?:appear|occur|contain|includ|found|present|seen|part)\w* (?:again|twice|in|on|among|of)|drawn from)(?![a-z])"
COUNT: Final = r"(?<![\d.:/-])[1-9]\d{0,8}(?:[.,]\d+)? ?%?(?![\d:]|[./-]\d)|(?<![a-z])(?:several|some|many|every|all|most|found|detected)(?![a-z])"
THINGS: Final = r"(?<![a-z])(?:samples?|rows?|ids?|items?|documents?|docs?|examples?|images?|users?|patients?|groups?|files?|speakers?|scenes?|records?|sentences?|questions?|prompts?|urls?|hashes|sequences?|subjects?|entries|duplicates?|keys?|videos?|clips?|frames?|pairs?|molecules?|indices|cases?|points?|episodes?|customers?|texts?|pages?|articles?|problems?|tasks?|recordings?|utterances?|persons?|people|families|households|stores?|accounts?|sessions?|devices|cells|plates|cities|sites?|slides?|dialogues?|leak\w*)(?![a-z])"
SETS: Final = r"(?<![a-z])(?:both|two|across|all|several|the) (?:splits|sets|folds|parts|partitions|subsets|halves|lists|sides)|(?:splits|sets|folds|partitions|subsets) (?:share|overlap|intersect|are not disjoint|have \d)|more than one (?:split|set|fold)(?![a-z])"
"""The sets of training and evaluation, named together."""
JOINT: Final = r"(?<![a-z])(?:overlap\w*|intersect\w*|in common|duplicat\w*|leak(?:s|age|ed)?|contaminat\w*|shared?|disjoint)(?![a-z])|\u2229|&(?= )"
SOME: Final = r"(?<![\d.:/-])[1-9]\d{0,8}(?:[.,]\d+)? ?%?(?![\d:]|[./-]\d)|(?<![a-z])(?:not empty|non-?empty|not zero|non-?zero|not (?:be )?disjoint)(?![a-z])"
SPAN: Final = (
    r"(?<![a-z])(?:periods?|windows?|ranges?|dates?|years?|intervals?|timestamps?|months?|days?|weeks?)(?![a-z])"
)
WITHIN: Final = r"(?<![a-z])(?:(?:starts?|begins?|lies?|day) before|inside|within|overlap\w*|precedes?|earlier than|later than|in the future|beyond|older than|newer than|past the)(?![a-z])"
CHOSEN: Final = (
    r"(?<![a-z])(?:selection|tuning|search|stopping|threshold\w*|model choice) (?:\w+ ){0,2}(?:used|uses|using|saw|sees|on|with|against) (?:the )?(?:same )?test"
    r"|(?<![a-z])(?:selected|chosen|tuned|picked|stopped|optimi[sz]ed) (?:on|by|with|against|using) (?:the )?(?:\w+ )?test(?![a-z])"
)
SAME: Final = r"(?<![a-z])(?:from|in|of|on|at) the (?:very )?same (?!distribution|source|domain|format|file|pipeline|way|script|seed|set ?up|model|range|scale|scheme|kind|type|split)\w+"
CONTRAST: Final = r"(?<![a-z])(?:(?:is|are|was|were|do|did|does|had|have|has)(?: not|n't)(?=\s*(?:[:;,.)]|$))|but not|whereas|only in)(?![a-z])"
GIVEN: Final = r"(?<![a-z])(?:recod\w+|proxy|(?:exact |near-?)?copy|derived from|gives? away|giv(?:es|ing) it away|leaks?|identical to|same as|function of|(?:perfectly |fully )(?:predicts?|determines?|separates?)|computed from)(?![a-z])"
LABELS: Final = (
    r"(?<![a-z])(?:(?:class|label|categor(?:y|ies)|intent|tag|target)(?:es|s)?[ _-]?(?:to[ _-]?)?(?:order\w*|ind(?:ex|ices)|idx|ids?|map\w*|names?|lists?|encod\w+|numbers|numbering|sets?|permut\w*)?"
    r"|label2id|id2label|class_to_idx)(?![a-z])"
)
INPUTS: Final = (
    r"(?<![a-z])(?:normali[sz]\w*|standardi[sz]\w*|pre-?process\w*|transforms?|tokeni[sz]\w*|detokeni[sz]\w*|vocab\w*|resolution|image sizes?|resiz\w*|crop\w*|scal(?:er|ing)"
    r"|means? and stds?|statistics|features?|channel order|rgb|bgr|sampl(?:e|ing) rates?|prompts?|(?:chat )?templates?|column order|truncat\w*|max(?:imum)? length|context length|casing|capitals?|punctuation|lower-?cased?|upper-?cased?|pixel\w*|precision|dtype|quanti[sz]ation|number format|(?:input|data|feature) pipelines?|units?|imput\w*)(?![a-z])"
)
WEIGHTS: Final = r"(?<![a-z])(?:weights?|checkpoints?|ckpt|parameters|ema|moving average|averaged model|model(?:\.pth?)?|state[ _]dict|adapters?|snapshot)(?![a-z])"
STALE: Final = (
    rf"{_BE_NOT}(?:the (?:ones?|same|trained|best|latest|final|last)|copied|loaded|swapped|applied|updated|restored|(?:just )?trained)"
    r"|(?<![a-z])(?:(?:random(?:ly)?|freshly)[ -]initiali[sz]ed|untrained|initial (?:weights|parameters|values)|stale|outdated|instead of|rather than|other than|from before training|nothing that was trained|(?:equals?|identical to|same as|unchanged since) (?:the )?(?:\w+ )?(?:before|at|of|since) (?:step 0|init\w*|the start|training))(?![a-z])"
)
MODE: Final = r"(?<![a-z])(?:drop-?out|(?:model\.)?train(?:ing)?(?:\(\)| mode|[ =:]{1,3}true)|model\.training (?:is |= ?|== ?)?true|training flag|batch ?norm\w*|(?:model\.)?eval\(\)|batch statistics)(?![a-z])"
ON: Final = r"(?<![a-z])(?:active|on|enabled|still|during|while|used|using|left|forgot\w*|never called|not called|without|true|in train\w*)(?![a-z])"
AGAIN: Final = r"(?<![a-z])(?:repeat\w*|twice|(?:one|a single|the same) (?:checkpoint|model|file|set of weights)|passes|two (?:runs|passes|evaluations)|same (?:weights|model|checkpoint|inputs?)|between (?:runs|passes|calls)|consecutive|identical (?:weights|inputs?)|re-?run\w*|(?:is|are) not (?:reproducible|deterministic|repeatable)|non-?deterministic)(?![a-z])"
VARIES: Final = r"(?<![a-z])(?:(?:are|is) (?:equal|identical) (?:for|in|on) (?:only )?\d+|agree (?:on|for|in) (?:only )?\d+|differ\w*|disagree\w*|fluctuat\w*|scatter\w*|(?:an)?other (?:numbers?|scores?|results?|values?)|(?:two|three|four|five|\d+|several) (?:different |distinct )?(?:scores|numbers|results|values) (?:for|of|from)|(?:moves?|shifts?|swings?|wobbles?|jumps?|off) by|var(?:y|ies|ied)|spread|chang(?:es?|ed|ing)|not (?:equal|identical|the same|reproducible|deterministic|repeatable)|non-?deterministic|inconsistent)(?![a-z])"
TWICE: Final = r"(?<![a-z])(?:padd(?:ed|ing)|void|ignored?|masked|unlabell?ed|special tokens?|duplicat\w*|repeated|twice|double|more than once)(?![a-z])"
COUNTED: Final = r"(?<![a-z])(?:(?:double-?)?counted|(?:averaged|mean|average) over|scored as|enter(?:s|ed)? the|included? in|contribut\w+|predictions for)(?![a-z])"
EMPTY: Final = (
    r"(?<![a-z])(?:(?:validation|valid|val|test|eval(?:uation)?|dev|hold-?out) (?:data)?(?:set|split|data|loader|fold|frame) (?:is|was|has|had|contains?|holds?|yield(?:s|ed)) (?:empty|no|0|zero|nothing)"
    r"|(?<![a-z])(?:eval\w*|validat\w*|test\w*|scor\w*) (?:on|over|with|of) (?:0|no|zero) (?:batches|samples|examples|rows|images|items|documents)"
    r"|(?<![\d.])(?:0|no|zero) (?:validation|valid|val|test|eval(?:uation)?|dev|hold-?out) (?:batches|samples|examples|rows|images|items|documents))(?![a-z])"
)
WORTHLESS: Final = r"(?<![a-z])(?:(?:not|isn't|aren't|hardly|never) (?:be )?(?:representative|comparable|meaningful|reliable|valid|trustworthy|trusted)|meaningless|misleading|invalid|inflated|perfect (?:since|from|at|in|after)|too (?:good|optimistic)|over-?optimistic|suspicious\w*|implausibl\w+|unreliable|untrustworthy|(?:do not|don't|cannot|can't|never) trust|not (?:be|to be) trusted)(?![a-z])"
METRIC: Final = r"(?<![a-z])(?:pass@\d+|acc(?:uracy)?|top-?[15]|f1|auc|auroc|m?ap|bleu|rouge\w*|wer|cer|perplexity|ppl|scores?|metrics?|results?|recall|precision|r2|rmse|mae|mse|fid|iou|dice|loss|error rate)(?![a-z])"
SKEW: Final = r"(?<![a-z])(?:skew\w*|drift\w*|(?:distribution|covariate|domain) shift\w*)(?![a-z])"

DEPENDS: Final = r"(?<![a-z])(?:depend\w* on|var(?:y|ies) with|chang(?:es?|ed) with|sensitive to|a function of|not invariant)(?![a-z])"
GROUPING: Final = r"(?<![a-z])(?:batch[ _-]?size|(?:number of|how many) (?:gpus|ranks|process\w*|workers|devices|replicas|shards)|world[ _-]?size|padding|(?:sample |data |row )?order(?:ing)?(?: of)?)(?![a-z])"
SAME_INPUT: Final = r"(?<![a-z])(?:same|identical|one) (?:\w+ )?(?:inputs?|batch|samples?|data|images?|texts?|rows?|sentences?|features?)(?![a-z])"
DIVIDES: Final = (
    r"(?<![a-z])(?:divid|averag|normali[sz]|sum|comput|count|reduc)\w* (?:\w+ )?(?:by|per|over|across)(?![a-z])"
)
APART: Final = r"(?<![a-z])(?:(?:cannot|can't|not) (?:be )?compar\w+|\w+ by \w+)(?![a-z])"
RAW: Final = r"(?<![a-z])(?:raw|un-?averaged|live|non-ema|un-?smoothed) (?:\w+ )?(?:weights|model|parameters|checkpoint|network)(?![a-z])"
SMOOTHED: Final = r"(?<![a-z])(?:ema|averaged|swa|shadow|polyak)(?![a-z])"
UNUSED: Final = r"(?<![a-z])(?:(?:does|did|do|is|are|was|were)(?: not|n't)|never|not|no longer) (?:use|using|used|hold|have|contain|carry|load|loaded|see|seen|evaluat\w+|scor\w+)(?![a-z])"
REMADE: Final = r"(?<![a-z])(?:conversion|quanti[sz]ation|exporting|compilation|export (?:has )?changed)(?![a-z])|(?<![a-z])(?:export\w*|onnx|tflite|torch-?script\w*|converted|quanti[sz]ed|int[48]|compiled|served|traced|merged) (?:\w+ )?(?:model|network|graph|weights|engine|version|artifact)(?![a-z])"
REREAD: Final = r"(?<![a-z])(?:re-?load\w*|restored|re-?read|loaded|saved|re-?evaluat\w*|re-?scor\w*)(?![a-z])"
WORSENED: Final = rf"{DIFFERS}|(?<![a-z])(?:changed|changes|alters?|altered|lost|loses|degrad\w+|deviat\w+|far from|dropped by|drops by|worse)(?![a-z])"
OUTCOME: Final = r"(?<![a-z])(?:scores?|metrics?|outputs?|accuracy|logits|predictions|results?|quality|points|f1|auc|map|wer|bleu|loss|perplexity|dice|iou)(?![a-z])"
NO_FILE: Final = r"^(?!.*(?<![a-z])(?:state[_ ]?dict|shapes?|sizes?|keys?|dtype|versions?|config\w*|architecture|hash|sha\d*|checksum|md5|optimizer|bytes|vocab\w*|arguments?)(?![a-z]))"
"""Nothing in the sentence is of how a saved model is laid out."""
READS: Final = (
    rf"{EVAL} (?:\w+ ){{0,2}}(?:reads?|uses?|used|loads?|loaded|is (?:built|drawn|made|read|taken) from|points? (?:to|at)|iterates? over|runs? (?:on|over)|comes? from|ran (?:on|over))"
    r" (?:the )?(?:\w+ )?train(?:ing)? (?:data|set|split|annotations|file|samples|rows|labels|loader|list|images|texts|folder|csv)(?![a-z]| (?:stat|mean|std|norm|scal))"
)
"""Evaluation being given what is training's."""
IS: Final = (
    r"(?<![a-z])(?:uses?|starts?|begins?|ends?|stops?|is|are|was|were|expects?|reads?|comes? in|counts?)(?![a-z])"
)
_AND: Final = r"(?:[,;] (?:and |but |while |whereas )?|,? (?:but|while|whereas) )"
PARALLEL: Final = rf"{EVAL}[^,;.]{{0,80}}{IS}[^,;]{{0,60}}{_AND}[^,;]{{0,40}}{TRAIN}[^,;]{{0,60}}{IS}|{TRAIN}[^,;.]{{0,80}}{IS}[^,;]{{0,60}}{_AND}[^,;]{{0,40}}{EVAL}[^,;]{{0,60}}{IS}"
"""One part of a sentence says how it is in evaluation, and the next how it is in training: nobody says that of what is alike."""
FORM: Final = r"(?<![a-z])(?:tokeni[sz]\w*|vocab\w*|normali[sz]ed|standardi[sz]ed|scaled|units?|kelvin|celsius|fahrenheit|met(?:re|er)s|feet|dollars|euros|k?hz|sampl(?:e|ing) rate|casing|lower-?case\w*|upper-?case\w*|punctuation|templates?|separators?|end of (?:text|sequence)|bgr|rgb|encod(?:ed|ing)|column order|imputed)(?![a-z])|<[/|]?\w+\|?>"
AMISS: Final = r"(?<![a-z])(?:is|are|was|seems?|looks?|must be) (?:\w+ )?(?:off|wrong|broken|flawed|bogus|buggy|fishy|amiss|not right|not sound)(?![a-z])"
EVALUATING: Final = r"(?<![a-z])(?:how (?:we|it is|they are) (?:evaluat|scor|test|validat)\w*|(?:the |our |this )?(?:evaluation|eval|validation|scoring|metric|benchmark|gathering|aggregation|averaging|reduction)(?: \w+)? ?(?:code|loop|path|script|split|set|itself|protocol|harness)?)(?![a-z])"
_SET: Final = (
    r"(?:validation|valid|val|dev|tests?|eval(?:uation)?|hold-?out|held-out|query|gallery|probe|train(?:ing)?)"
)
IN_TRAINING: Final = rf"(?<![a-z]){_SET}(?<!train)(?<!training)(?![a-z])[^,;.]{{0,60}}(?:,[^;.]{{0,24}})?(?<![a-z])(?:are|is|were|was|have|has|had|share|shares|appear\w*|occur\w*|sit|lie|stem|come)(?![a-z])[^;]{{0,50}}(?<![a-z])(?:in|among|with|inside|of) (?:the |a |an |one |our |any )?(?:[a-z0-9-]+[ _]){{0,2}}train(?:ing|ed)?(?![a-z])(?! (?:mode|time|loop|phase|stage|run|speed|step))"
"""Something of an evaluation that is in, or goes with, what belongs to training."""
SAME_SETS: Final = rf"(?<![a-z]){_SET} (?:and|&) (?:the )?{_SET}(?: \w+)? (?:are|is|were|was|hold|have|contain|point to|come from) (?:all |exactly )?(?:the )?(?:same|identical|equal|one file)(?! (?:size|number|length|distribution|shape|transform|format|device|batch|way|seed|schema|columns?))"
SAME_THINGS: Final = r"(?<![a-z])(?:the )?(?:very )?(?:same|identical) (?:\d[\d,. ]* )?(?:\w+ )?(?:inputs?|rows?|images?|samples?|customers?|users?|items?|examples?|documents?|requests?|records?|sentences?|files?|patients?|ids|points|clips|prompts?|questions?|molecules?)(?![a-z])"
COMPUTED: Final = r"(?<![a-z])(?:scores?|predictions?|outputs?|probabilit\w+|logits|embeddings?|answers?|labels|results?|features)(?![a-z])"
KINDS: Final = (
    (
        "mode",
        (
            r"(?<![a-z])(?:drop-?out|batch ?norm\w*)(?: \w+)? (?:is|are|was|were) (?:still |left )?(?:active|on|enabled|stochastic|random|sampl\w+)(?![a-z])",
            rf"{EVAL}|{METRIC}|(?<![a-z])scores?(?![a-z])",
        ),
    ),
    (
        "mode",
        (r"(?<![a-z])(?:still|left|stays?|stayed|remain\w*|kept) in train(?:ing)? (?:mode|state|phase)(?![a-z])",),
    ),
    ("mode", (MODE, ON, EVAL, rf"{EVAL}.{{0,80}}{MODE}|{MODE}.{{0,80}}{EVAL}")),
    ("unstable", (AGAIN, VARIES, rf"{EVAL}|{METRIC}|(?<![a-z])points(?![a-z])")),
    ("batching", (rf"{METRIC}|loss", DEPENDS, GROUPING)),
    (
        "rescored",
        (
            r"(?<![a-z])same (?:checkpoint|weights|model)(?![a-z])",
            r"(?<![a-z])(?:report\w*|logged|log|said|says|trainer|trained|training)(?![a-z])",
            DIFFERS,
        ),
    ),
    ("rescored", (REMADE, WORSENED, NO_FILE)),
    ("rescored", (REREAD, r"(?<![a-z])(?:model|weights|checkpoint|network)(?![a-z])", WORSENED, OUTCOME, NO_FILE)),
    ("counted", (EVAL, TRAIN, DIVIDES, rf"{APART}|{DIFFERS}")),
    ("counted", (TWICE, COUNTED, rf"{EVAL}|{METRIC}", r"\d")),
    ("leak", (SHARED, THINGS, EVAL, TRAIN, COUNT)),
    ("leak", (EVAL, TRAIN, SAME, THINGS)),
    ("leak", (SHARED, THINGS, SETS, COUNT)),
    (
        "leak",
        (
            JOINT,
            SOME,
            EVAL,
            TRAIN,
            rf"{THINGS}|(?<![a-z])(?:not empty|non-?empty|not zero|non-?zero|disjoint|%)|\d (?:of|out of|/) ?(?:the )?\d|\u2229|(?<![a-z])(?:sets?|splits?|folds?)(?![a-z])",
        ),
    ),
    ("leak", (EVAL, TRAIN, SPAN, WITHIN, rf"{SPAN}.{{0,40}}{WITHIN}|{WITHIN}.{{0,40}}{SPAN}")),
    ("leak", (CHOSEN,)),
    (
        "leak",
        (
            r"(?<![a-z])(?:look-?ahead|(?:features?|inputs?|columns?) (?:\w+ ){0,3}(?:from )?the future|peek(?:s|ed|ing)?)(?![a-z])",
            r"[1-9]|(?<![a-z])(?:found|detected|bias|leak\w*)(?![a-z])",
        ),
    ),
    (
        "leak",
        (
            r"(?<![a-z])(?:of|from|by) the same \w+",
            r"(?<![a-z])(?:lies?|are|is|ends? up|occurs?|appears?|falls?|sits?|lands?|stands?) (?:\w+ )?(?:in|on) (?:both|two|several) (?:splits|sets|folds|parts|partitions|subsets|halves|lists|sides)",
        ),
    ),
    (
        "leak",
        (
            rf"(?<![a-z])in (?:both )?{TRAIN} (?:and|&) (?:in )?{EVAL}[^\d\n]{{0,20}}[:=] ?[1-9]|(?<![a-z])in (?:both )?{EVAL} (?:and|&) (?:in )?{TRAIN}[^\d\n]{{0,20}}[:=] ?[1-9]",
        ),
    ),
    ("leak", (r"(?<![a-z])(?:splits|sets|folds|parts|partitions|subsets) (?:are|is|were) not disjoint",)),
    (
        "leak",
        (
            r"(?<![a-z])(?:copies|duplicates|(?:augmented |shifted |cropped )versions) of",
            EVAL,
            THINGS,
            r"(?<![a-z])(?:contain\w*|hold|holds|includ\w*|have|has|share\w*)(?![a-z])",
        ),
    ),
    ("leak", (IN_TRAINING, COUNT)),
    ("leak", (SAME_SETS,)),
    ("rescored", (SAME_THINGS, DIFFERS, COUNT, COMPUTED)),
    ("split", (READS,)),
    (
        "labels",
        (
            r"(?<![a-z])(?:each|every|both) (?:split|set|fold|part|loader|side)\w* (?:\w+ )?(?:got|gets|has|had|uses?|used|built|builds|fits?|fitted|made|makes) (?:its|their|an?) own (?:label|class|target|tag|categor\w+|encoder)",
        ),
    ),
    (
        "inputs",
        (
            r"(?<![a-z])(?:each|every|both) (?:split|set|fold|part|loader|side)\w* (?:\w+ )?(?:got|gets|has|had|uses?|used|built|builds|fits?|fitted|made|makes) (?:its|their|an?) own (?:scal\w+|tokeni[sz]\w+|vocab\w*|normali[sz]\w*|statistics|mean)",
        ),
    ),
    (
        "leak",
        (
            r"(?<![a-z])(?:target|labels?|answers?|outcome|ground truth)(?![a-z])",
            GIVEN,
            r"(?<![a-z])(?:features?|columns?|inputs?|predictors?|variables?|field)(?![a-z])",
        ),
    ),
    (
        "leak",
        (
            r"(?<!memory )(?<![a-z])(?:leakage|contaminat(?:ed|ion))(?![a-z])",
            r"(?<![a-z])(?:detected|found|suspected|confirmed|present)(?![a-z])|[1-9]",
            rf"{EVAL}|{TRAIN}|(?<![a-z])(?:target|label|split|fold|data ?set|data)(?![a-z])",
        ),
    ),
    (
        "split",
        (
            DIFFERS,
            r"(?<![a-z])(?:split|subset|fold|loader|dataset|set|partition)(?![a-z])",
            r"although|instead of|rather than|wrong",
            TRAIN,
            rf"{EVAL}.{{0,60}}(?:split|set|data\w*|loader|fold|part)?.{{0,24}}{TRAIN}",
        ),
    ),
    (
        "labels",
        (LABELS, DIFFERS, rf"{EVAL}|predict\w*", rf"{TRAIN}|{METRIC}|checkpoint|model|order|look|seem|appear"),
    ),
    (
        "labels",
        (
            r"label2id|id2label|class_to_idx|(?<![a-z])(?:class|label) (?:maps?|mappings?|orders?|index|indices|ids)(?![a-z])",
            DIFFERS,
        ),
    ),
    (
        "inputs",
        (
            INPUTS,
            DIFFERS,
            EVAL,
            rf"{TRAIN}|(?<![a-z])both (?:pipelines|sides|paths|loaders)|(?<![a-z])(?:references?|(?:checkpoint|model|network) expects)(?![a-z])",
        ),
    ),
    (
        "inputs",
        (INPUTS, CONTRAST, rf"{EVAL}|hypothes[ie]s|predict\w*", rf"{TRAIN}|(?<![a-z])references?(?![a-z])"),
    ),
    ("labels", (rf"{LABELS}|(?<![a-z])ids (?:start|begin)", PARALLEL)),
    ("inputs", (rf"{FORM}", PARALLEL)),
    ("inputs", (EVAL, TRAIN, DIFFERS, SAME_INPUT)),
    ("inputs", (INPUTS, r"(?<![a-z])(?:twice|doubly|a second time|two times)(?![a-z])", EVAL)),
    ("inputs", (INPUTS, r"(?<![a-z])(?:without|lacks?|missing|omit\w*|no)(?![a-z])", DIFFERS, METRIC, EVAL)),
    (
        "inputs",
        (
            INPUTS,
            r"(?<![a-z])(?:applied|used|done|run|active|seen|made|computed) (?:\w+ )?(?:to|on|for|in|during|at) (?:the )?train\w*(?: \w+)? only|only (?:applied |used |done |run |active )?(?:to|on|for|in|during|at) (?:the )?train",
        ),
    ),
    ("inputs", (INPUTS, ABSENT, rf"{EVAL}", rf"{TRAIN}|(?<![a-z])(?:raw|un\w+ed|statistics|stats)(?![a-z])")),
    ("weights", (WEIGHTS, STALE, EVAL)),
    (
        "weights",
        (RAW, SMOOTHED, EVAL, rf"{TRAIN}|report\w*|logged|(?<![a-z])(?:log|instead|but|while|whereas)(?![a-z])"),
    ),
    ("weights", (UNUSED, WEIGHTS, EVAL, r"(?<![a-z])(?:trained|best|final|latest|last|right)(?![a-z])")),
    ("empty", (EMPTY,)),
    (
        "skew",
        (
            SKEW,
            rf"{EVAL}",
            rf"{TRAIN}|offline|feature",
            r"[1-9]\d* (?:of|out of|features?|columns?)|(?<![a-z])(?:detected|found|exceeds?|above|severe|strong|significant)(?![a-z])",
        ),
    ),
    (
        "skew",
        (
            r"(?<![a-z])(?:distributions?|population|traffic|inputs?|features?|data) (?:\w+ ){0,4}(?:moved|shifted|drifted|changed)(?![a-z])",
            EVAL,
            rf"{TRAIN}|(?<![a-z])(?:references?|baseline|validation|since)(?![a-z])",
        ),
    ),
    ("worthless", (AMISS, EVALUATING, rf"{AMISS}.{{0,40}}{EVALUATING}|{EVALUATING}.{{0,40}}{AMISS}")),
    ("worthless", (METRIC, WORTHLESS, rf"{EVAL}|{METRIC}.{{0,40}}{WORTHLESS}")),
)
AFRESH: Final = r"(?<![a-z])(?:re-?(?:evaluat|scor|load|stor|test|calculat|comput)\w*|export\w*|standalone|saved|loaded|converted|offline|same (?:checkpoint|weights|model)|from disk|eval\.py|second evaluation|leaderboard|harness|official|independent|reference (?:implementation|evaluator|scorer)|another evaluator|evaluated again)(?![a-z])"
BEFORE: Final = r"(?<![a-z])(?:reported|during training|in memory|logged|log (?:says|said)|says?|gives|reports?|training (?:log|run|said|reported)|originally|claimed|trainer|before (?:saving|export\w*)|at save time|was|had|versus|vs|expected)(?![a-z])"
BELOW: Final = r"(?<![a-z])(?:below|lower than|less than|under|short of|worse than|behind|expected|required?|needs?|needed|minimum|threshold|target|at least|floor|bar|(?:far|away) from|gap|apart|refus\w+|reject\w*)(?![a-z])|<"
OFFLINE: Final = r"(?<![a-z])(?:offline|validation|backtest\w*|train\w*|hold-?out)(?![a-z])"
ONLINE: Final = r"(?<![a-z])(?:online|shadow|production|live|serving|canary|deployed)(?![a-z])"
TWO_OF_A_KIND: Final = rf"(?:{EVAL}|{TRAIN}) (?P<of>[a-z][\w@-]{{1,12}})[ =:]{{1,3}}\d+\.\d+.{{0,60}}(?:{EVAL}|{TRAIN}) (?P=of)[ =:]{{1,3}}\d+\.\d"
"""One name of two places before two numbers, whatever score it stands for."""
SCORES: Final = (
    ("rescored", 0.1, (AFRESH, BEFORE, rf"{METRIC}|(?<![a-z])(?:says?|reports?|gives?|got|shows?) \d")),
    (
        "rescored",
        0.1,
        (
            r"(?<![a-z])(?:got|measured|now|obtained|observed|is|gives|today|this time)(?![a-z])",
            r"(?<![a-z])(?:when (?:it|they) (?:was|were) (?:written|saved|stored|trained|made)|at the time|from the trainer|trainer (?:said|says|reported|logged)|training (?:log|said|reported)|reported by|in the (?:log|card|checkpoint)|checkpoint (?:says|said|claims?))(?![a-z])",
        ),
    ),
    (
        "batching",
        0.1,
        (
            r"(?<![a-z])(?:batch[ _-]?size|world[ _-]?size|gpus|ranks|workers|shards)(?![a-z])",
            METRIC,
            r"(?<![a-z])(?:same|consisten\w*|but|versus|vs|against|while|and)(?![a-z])",
            EVAL + "|check|consisten|images|samples|examples",
        ),
    ),
    (
        "unstable",
        0.003,
        (
            rf"{AGAIN}|(?<![a-z])(?:(?:three|four|five|ten|several|\d{{1,2}}) (?:times|passes|evaluations|runs)|without touching|same weights)(?![a-z])",
            rf"{EVAL}",
            r"(?<![a-z])(?:same|identical|without touching|untouched|frozen|again|repeat\w*)(?![a-z])",
        ),
    ),
    ("gate", 0.3, (EVAL, BELOW, rf"{METRIC}|{TWO_OF_A_KIND}")),
    ("skew", 0.15, (OFFLINE, ONLINE, METRIC)),
)
COSTS: Final = (
    rf"{EVAL} (?:set )?(?:loss|perplexity|ppl|mse|rmse|mae|error|nll|bpb)",
    rf"{TRAIN} (?:set )?(?:loss|perplexity|ppl|mse|rmse|mae|error|nll|bpb)",
    r"(?<![a-z])(?:no sense|nonsens\w+|implausibl\w+|far|much|way|diverge\w*|unexpected\w*|exceeds?|too (?:high|large)|times)(?![a-z])",
)
