"""Words of everyday language, which say nothing about the subject of a text, one table a language.

They include what people say to any agent about any work. Chinese, Japanese and Korean words are in the
pairs of characters that `store/words.py` makes, and accents are left out as it leaves them out.
"""

TABLES = {
    "en": "a about above after again against all also always am an and any are as at be because been "
    "before being below between both but by can cannot could d did do does doing done don down "
    "during each else even ever few for from further get gets getting give go going got had has have "
    "having he her here hers him his how i if in instead into is it its itself just keep let like ll "
    "m make makes making many may maybe me might more most much must my need needs never no nor not "
    "now of off on once one only or other our ours out over own please put re s same say see shall "
    "she should show so some still such sure t take tell than thank thanks that the their them then "
    "there these they thing things this those though through to too try under until up us use used "
    "using ve very want wants was way we well were what when where whether which while who whom why "
    "will with within without would yes yet you your yours",
    "de": "aber alle als also am an auch auf aus bei bin bis bitte da das dass dein dem den der des die "
    "dies diese dieser doch du durch ein eine einem einen einer eines er es fur hat habe haben hier "
    "ich ihr im in ist ja jetzt kann kannst kein keine mach machen man mehr mein mir mit muss nach "
    "nein nicht noch nun nur ob oder sehr sein sich sie sind so soll sollen und uns unser vom von "
    "vor war warum was weil wenn wer werden wie wir wird wo zu zum zur",
    "fr": "ai au aux avec car ce ces cette comme dans de des du elle en est et etre eux fait faire faut il "
    "ils je la le les leur lui ma mais me merci mes moi mon ne nos notre nous on ou par pas peux "
    "plait plus pour pourquoi qu quand que quel quelle qui sa sans se ses si son sont sur ta te tes "
    "toi ton tous tout tres tu un une va vos votre vous y",
    "es": "al algo asi aqui como con cual cuando de del donde el ella en entre era es esa ese eso esta "
    "este esto estas estos favor fue gracias ha hace hacer hacia hasta hay la las le les lo los mas "
    "me mi mis muy nada ni no nos o para pero por porque puede puedes que quien se ser si sin sobre "
    "son su sus tambien te tiene todo tu tus un una uno y ya yo",
    "zh": "我们 你们 他们 这个 那个 什么 么时 时候 怎么 怎样 如何 为什 哪里 哪个 是否 可以 一下 一个 现在 "
    "请你 请帮 帮我 帮忙 需要 应该 能不 不能 可不 是不 有没 没有 不是 就是 这里 那里 这样 因为 所以 "
    "但是 如果 或者 而且 还是 以及 然后 已经 我想 想要 告诉 诉我 知道 的是 是什 吗 呢 吧 的 了 是 在 "
    "有 和 我 你",
    "ja": "です ます する して した こと もの ため ので から まで これ それ あれ この その あの どの どう "
    "なに 何を なぜ いつ どこ ください くだ ださ さい ある いる なる ない れる られ せる では には "
    "とは ても たい よう は が を に の で と も か",
    "ko": "이것 그것 저것 무엇 어떻 떻게 언제 어디 누구 왜 있는 있다 하는 하고 해서 하지 해줘 주세 세요 "
    "입니 니다 습니 그리 리고 그래 래서 하지만 때문 대한",
}
STOP_WORDS = frozenset(word for table in TABLES.values() for word in table.split())
