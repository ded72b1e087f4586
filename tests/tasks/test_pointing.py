"""Whether an attention looks at what a word names."""

import torch

from memnets.tasks.pointing import Objects, on_objects, pointed

NAN = float("nan")
SIDE, GRID = (40, 60), (4, 6)  # places of 10 pixels


def objects():
    """Return two objects of one picture, the second picture has one."""
    centres = torch.tensor([[[15.0, 5.0], [45.0, 35.0]], [[5.0, 25.0], [NAN, NAN]]])
    radii = torch.tensor([[1.0, 7.0], [1.0, NAN]])
    return Objects(centres, radii, torch.tensor([[-1, 0, 1, -1], [0, -1, -1, -1]]))


def test_places_of_an_object():
    """List 15: those whose centres lie within the radius and four pixels."""
    there = on_objects(objects(), GRID, SIDE)
    assert there[0, 0].nonzero().flatten().tolist() == [1]
    assert there[0, 1].nonzero().flatten().tolist() == [16, 21, 22, 23]  # 11 pixels
    assert there[1, 0].nonzero().flatten().tolist() == [12]
    assert not there[1, 1].any()


def test_uniform_weights_get_the_chance_and_an_oracle_is_always_right():
    """List 15: and one that looks at the other object is wrong in its own way."""
    found, owners = on_objects(objects(), GRID, SIDE), objects().owners
    uniform = torch.full((2, 4, 24), 1 / 24)
    by_chance = pointed(uniform, owners, found)
    assert by_chance.words == 3
    assert by_chance.mass == torch.tensor(6 / 24)
    assert abs(by_chance.chance - 6 / 24) < 1e-6
    oracle = torch.zeros(2, 4, 24)
    oracle[0, 1, 1] = oracle[0, 2, 22] = oracle[1, 0, 12] = 1.0
    right = pointed(oracle, owners, found)
    assert (right.right, right.mass, right.other) == (3, 3, 0)
    swapped = pointed(oracle[:, [0, 2, 1, 3]], owners, found)
    assert (swapped.right, swapped.other) == (1, 2)
    nobody = pointed(oracle, torch.full_like(owners, -1), found)
    assert nobody.words == 0


def test_some_pictures_are_taken():
    """List 15: all parts together."""
    one = objects().take(torch.tensor([1]))
    assert one.owners.tolist() == [[0, -1, -1, -1]]
    assert one.centres.shape == (1, 2, 2)
