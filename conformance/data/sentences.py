"""The training batch: sixteen pairs of English sentences written for this project.

A pair says the same thing twice or is a question with its answer.  Neighbouring pairs share
their subject, so that in-batch negatives are hard and the loss of a trained encoder is not zero.
"""

PAIRS = (
    ("The river rose so fast overnight that the lower bridge had to be closed to traffic.",
     "After a night of heavy rain the old crossing was shut because of the flood."),
    ("Why was the lower bridge closed this morning?",
     "Engineers found a crack in one of its piers and want to inspect it before anyone drives over."),
    ("She keeps bees on the roof of her apartment building and sells the honey to neighbours.",
     "On top of the block, Marta's hives produce enough for everybody on the stairs."),
    ("How do honeybees find their way back to the hive?",
     "They read the position of the sun and remember landmarks along the route."),
    ("The doctor told him to take one tablet every eight hours and to finish the whole packet.",
     "Antibiotics should be taken until the course is complete, even if you feel better."),
    ("Is it safe to stop the medicine once the fever is gone?",
     "No; stopping early lets the most resistant bacteria survive."),
    ("Matrix multiplication dominates the cost of training a large neural network.",
     "Most of the arithmetic in deep learning is spent in dense linear algebra."),
    ("What happens to a gradient that is rounded to four bits?",
     "A few very large values decide the scale of the block, and everything small becomes zero."),
    ("Our train left Vienna at 6:42 and arrived in Trieste 9 hours and 17 minutes later.",
     "The journey from the Austrian capital to the Adriatic took most of the day."),
    ("Do I have to change trains on the way to Trieste?",
     "Yes, once, in Udine, where you have eleven minutes to reach platform 3."),
    ("Knead the dough until it is smooth, cover it, and let it rise for two hours.",
     "Good bread needs patience: work it well and leave it somewhere warm to double in size."),
    ("Why did my loaf come out of the oven as flat as a plate?",
     "The yeast was probably dead, or the water you added was too hot."),
    ("The museum lends its violins to students who could never afford such an instrument.",
     "Young players without money may borrow a Guarneri from the collection for a year."),
    ("Who pays the insurance when a student borrows a violin?",
     "A foundation covers it, provided that the instrument never leaves the country."),
    ("Voyager 1 still answers from beyond the heliopause, more than 24 billion kilometres away.",
     "A probe launched in 1977 is sending data home from interstellar space."),
    ("How long does a radio signal take to reach the most distant spacecraft?",
     "Almost a whole day, so every question has to wait two days for its reply."),
)
