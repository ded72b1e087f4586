"""I, G, O and R: any components, a memory written while testing, embeddings that are kept."""

import pytest
import torch

from memnets.data.babi.reader import parse_stories
from memnets.layers.bag_features import BagFeatures
from memnets.memories.network import MemoryNetwork, Supersede, next_free_slot
from memnets.memories.texts import EmbeddingCache, StaleMemoryError
from memnets.models.memnn import Matching, MemNN
from memnets.tasks.memnn import ask, memory_network
from memnets.tasks.supported import FeatureVocabulary

STORY = "1 Mary moved to the bathroom.\n2 John went to the hall.\n3 Where is Mary? \tbathroom\t1\n"


def words(text):
    return tuple(text.lower().rstrip(".?").split())


def about(asked, memory):
    """Name the newest slot that speaks of the last word asked."""
    slots = [slot for slot, told in enumerate(memory) if told and told[0] == asked[-1]]
    return slots[-1:]


def last_word(asked, supports):
    return supports[-1][-1] if supports else "nowhere"


def test_plain_functions_are_a_memory_network():
    """List 9: and the memory is passed in and returned."""
    network = MemoryNetwork(words, about, last_word)
    empty = ()
    memory = network.tell(empty, "Mary went to the hall.", "John went to the garden.")
    assert network.ask(memory, "Where is Mary?") == ("hall", (0,), (memory[0],))
    later = network.tell(memory, "Mary went to the office.")  # written while it is asked
    assert network.ask(later, "Where is Mary?").response == "office"
    assert network.ask(memory, "Where is Mary?").response == "hall"
    assert network.ask(empty, "Where is Mary?") == ("nowhere", (), ())


def test_writing_may_revise_every_old_slot():
    """List 9: G of an example, by which what a sentence supersedes is emptied."""
    write = Supersede(subject=lambda told: told[0] if told else None, nothing=())
    network = MemoryNetwork(words, about, last_word, write)
    memory = network.tell((), "Mary is here.", "John is here.", "Mary is there.", "Mary is off.")
    assert memory == ((), words("John is here."), (), words("Mary is off."))
    assert network.ask(memory, "Where is Mary?").slots == (3,)
    assert write(memory, ()) == (*memory, ())  # of no subject: nothing is emptied
    aside = Supersede(subject=lambda told: told if told != "Hm." else None, nothing="")
    assert aside(("Hm.", "Mary"), "Hm.") == ("Hm.", "Mary", "Hm.")  # nor what has none itself
    assert next_free_slot(memory, ("x",)) == (*memory, ("x",))


@pytest.mark.parametrize("slot", [-1, 2])
def test_a_slot_that_is_not_there_is_named(slot):
    """List 9: a component of a user's own that errs."""
    network = MemoryNetwork(words, lambda asked, memory: [slot], last_word)
    memory = network.tell((), "a b", "c d")
    with pytest.raises(
        ValueError, match=rf"ask\('c\?'\).*`support` named slot {slot}, the memory has 2"
    ):
        network.ask(memory, "c?")


def test_memnn_is_one_too():
    """List 9: MemNN as O and R answers as it does by itself."""
    vocabulary = FeatureVocabulary.of(parse_stories(STORY, 1, "qa1.txt"))
    model = MemNN(len(vocabulary.features), vocabulary.words, Matching(5), hops=2, adaptive=True)
    network = memory_network(model, vocabulary)
    memory = network.tell((), "Mary moved to the bathroom.", "John went to the hall.")
    found = network.ask(memory, "Where is Mary?")
    answer = ask(model, vocabulary, memory, "Where is Mary?")
    assert found.response == answer.text
    read = [step.most_read.slot for step in answer.steps]
    assert list(found.slots) == read
    assert found.supports == tuple(memory[slot] for slot in read)


class Bags(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(101, 7)
        self.texts = 0

    def forward(self, texts):
        self.texts += len(texts)
        rows = [torch.tensor([hash(word) % 101 for word in words(text)]) for text in texts]
        return torch.stack([self.table(row).sum(0) for row in rows])


def test_what_is_kept_equals_embedding_anew():
    """List 10: at test time, when more is written, and only that is embedded."""
    bags = Bags()
    cache = EmbeddingCache(bags, bags)
    memory = cache.write(["Mary is here.", "John is there."])
    memory = cache.write(["Mary is off."], memory)
    assert bags.texts == 3
    assert torch.equal(cache.read(memory), bags(memory.texts))
    assert cache.refresh(memory) is memory
    assert not cache.read(memory).requires_grad


def step(bags):
    optimizer = torch.optim.SGD(bags.parameters(), lr=0.1)
    bags(["Mary is here."]).sum().backward()
    optimizer.step()


def load(bags):
    bags.load_state_dict(Bags().state_dict())


def replace(bags):
    """Other tensors, which were changed in place as often as those they replace."""
    others = Bags()
    assert others.table.weight._version == bags.table.weight._version
    bags.table.weight = others.table.weight


@pytest.mark.parametrize("move", [step, load, replace])
def test_what_was_embedded_by_other_parameters_is_refused(move):
    """List 10: after a step of learning, and new weights in place or not; refreshing mends it."""
    bags = Bags()
    cache = EmbeddingCache(bags, bags)
    memory = cache.write(["Mary is here.", "John is there."])
    move(bags)
    with pytest.raises(StaleMemoryError, match=r"2 texts were embedded.*1 of 1 of Bags have moved"):
        cache.read(memory)
    with pytest.raises(StaleMemoryError, match="refresh"):
        cache.write(["Mary is off."], memory)
    fresh = cache.refresh(memory)
    assert torch.equal(cache.read(fresh), bags(memory.texts))


def test_reading_what_is_kept_saves_embedding():
    """List 10: a hundred questions embed a memory once, not a hundred times."""
    bags = Bags()
    cache = EmbeddingCache(bags, bags)
    memory = cache.write([f"Mary is in room {number}." for number in range(53)])
    for _ in range(100):
        cache.read(memory)
    assert bags.texts == 53


@pytest.mark.parametrize(
    ("changed", "told"),
    [({"scale": 0.0}, "above 0"), ({"features": 1}, "at least 2"), ({"roles": 0}, "at least 1")],
)
def test_features_that_could_not_learn_are_refused(changed, told):
    with pytest.raises(ValueError, match=rf"BagFeatures\({next(iter(changed))}=.*{told}"):
        BagFeatures(**{"features": 3, "roles": 2, "dim": 5, **changed})
    least = BagFeatures(2, 1, 1, contexts=True)
    assert [tuple(part.shape) for part in least.parameters()] == [(2, 1, 1), (2, 2, 1)]
    assert BagFeatures(2, 1, 1).context is None
