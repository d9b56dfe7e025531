"""Stop words: English function words that say nothing about what is asked."""

# Question words (how, why, which) and negations (not, without, can't) are missing on purpose: "how do I" and
# "why can't I" ask for different answers. The last line holds what is left of contractions in text that was
# split at the apostrophe.
_ENGLISH = """
    a an the this that these those
    i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers
    herself it its itself they them their theirs themselves one someone anyone everyone
    something anything everything
    am is are was were be been being have has had having do does did doing done
    will would shall should can could may might must
    i'm i've i'd i'll you're you've you'd you'll he'd he'll she'd she'll we're we've we'd we'll
    they're they've they'd they'll it'd it'll
    and or but nor so yet if then than because while although though
    of at by for with about into onto through during to from in on upon as per
    there here also too very just only own same such both each any some all more most other another
    s t m d ll re ve
"""

ENGLISH = frozenset(_ENGLISH.split())
