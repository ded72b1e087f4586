"""Stems: what they see, whose weights they take, and what they refuse."""

import pytest
import torch
from safetensors.torch import save_file

from memnets.data.pictures.features import read_features
from memnets.layers.stems import VGG19, Centred, Given, ResNet, SmallCNN, load_weights
from memnets.tasks import picture_features
from memnets.tasks.picture_features import compute_features

# Names and shapes of published weights (torchvision), written down apart from the classes.
VGG_AT = (0, 2, 5, 7, 10, 12, 14, 16, 19, 21, 23, 25, 28, 30, 32, 34)
VGG_WIDTHS = (64, 64, 128, 128, *[256] * 4, *[512] * 8)


def vgg_shapes():
    shapes, width = {}, 3
    for at, wider in zip(VGG_AT, VGG_WIDTHS, strict=True):
        shapes[f"features.{at}.weight"] = (wider, width, 3, 3)
        shapes[f"features.{at}.bias"] = (wider,)
        width = wider
    for at, (rows, columns) in {0: (4096, 25088), 3: (4096, 4096), 6: (1000, 4096)}.items():
        shapes[f"classifier.{at}.weight"], shapes[f"classifier.{at}.bias"] = (
            (rows, columns),
            (rows,),
        )
    return shapes


def resnet_shapes(blocks):
    def norm(name, width):
        parts = dict.fromkeys(("weight", "bias", "running_mean", "running_var"), (width,))
        return {f"{name}.{part}": shape for part, shape in parts.items()}

    shapes, before = {"conv1.weight": (64, 3, 7, 7)} | norm("bn1", 64), 64
    for stage, number in enumerate(blocks):
        width = 64 * 2**stage
        for block in range(number):
            at = f"layer{stage + 1}.{block}"
            shapes |= {f"{at}.conv1.weight": (width, before, 1, 1)} | norm(f"{at}.bn1", width)
            shapes |= {f"{at}.conv2.weight": (width, width, 3, 3)} | norm(f"{at}.bn2", width)
            shapes |= {f"{at}.conv3.weight": (4 * width, width, 1, 1)}
            shapes |= norm(f"{at}.bn3", 4 * width)
            if not block:
                shapes |= {f"{at}.downsample.0.weight": (4 * width, before, 1, 1)}
                shapes |= norm(f"{at}.downsample.1", 4 * width)
            before = 4 * width
    return shapes | {"fc.weight": (1000, 2048), "fc.bias": (1000,)}


def shapes_of(stem):
    return {
        name: tuple(tensor.shape)
        for name, tensor in stem.state_dict().items()
        if not name.endswith("num_batches_tracked")
    }


@pytest.fixture
def meta():
    """Build networks without their numbers: only names and shapes."""
    with torch.device("meta"):
        yield


@pytest.mark.parametrize("layer", ["conv5_4", "pool5"])
@pytest.mark.usefixtures("meta")
def test_vgg_has_the_published_names(layer):
    """List 17: all but the classifier's."""
    known = {name: s for name, s in vgg_shapes().items() if not name.startswith("classifier")}
    assert shapes_of(VGG19(layer)) == known


@pytest.mark.parametrize(
    ("depth", "blocks"), [(50, (3, 4, 6, 3)), (101, (3, 4, 23, 3)), (152, (3, 8, 36, 3))]
)
@pytest.mark.usefixtures("meta")
def test_resnets_have_the_published_names(depth, blocks):
    """List 17: all but the classifier's, and those of stages behind the layer."""
    known = resnet_shapes(blocks)
    whole, less = ResNet(depth), ResNet(depth, "layer3")
    assert shapes_of(whole) == {n: s for n, s in known.items() if not n.startswith("fc")}
    assert shapes_of(less) == {n: s for n, s in known.items() if not n.startswith(("fc", "layer4"))}
    assert (whole.dim, less.dim) == (2048, 1024)


@pytest.mark.usefixtures("meta")
def test_grids_are_those_of_the_papers():
    """List 17: 14 x 14 x 512 of 224 pixels, and of 448 behind the last pooling."""
    assert VGG19().grid(224, 224) == VGG19("pool5").grid(448, 448) == (14, 14)
    assert VGG19().dim == 512
    assert ResNet(101).grid(448, 448) == ResNet(101, "layer3").grid(224, 224) == (14, 14)


def test_vgg_sees_row_after_row():
    """List 17: 32 pixels a place behind the last pooling, 16 before it."""
    stem, picture = VGG19("pool5"), torch.rand(1, 3, 32, 64)
    assert stem(picture).shape == (1, 1 * 2, 512)
    both = torch.cat([picture, torch.rand(1, 3, 32, 64)], 3)
    stem.features = stem.features[:5]  # one pooling
    stem.layers_of = {"pool5": 2}
    torch.testing.assert_close(
        stem(both).unflatten(1, (16, 64))[:, :, :30],
        stem(picture).unflatten(1, (16, 32))[:, :, :30],
    )


def small_resnet():
    return ResNet(50, "layer1").eval()


def published(stem, seed=0):
    dice = torch.Generator().manual_seed(seed)
    shapes = resnet_shapes((3, 4, 6, 3))
    kept = {n: s for n, s in shapes.items() if not n.startswith(("layer2", "layer3", "layer4"))}
    return {
        name: torch.rand(shape, generator=dice) * 0.1 + 0.01 for name, shape in kept.items()
    } | {"layer4.0.conv1.weight": torch.zeros(512, 1024, 1, 1)}


@pytest.mark.parametrize("kind", ["safetensors", "pth"])
def test_weights_are_loaded_by_their_names(kind, tmp_path):
    """List 17: of either kind of file; what lies behind the layer is passed over."""
    stem, weights = small_resnet(), published(None)
    path = tmp_path / f"weights.{kind}"
    save_file(weights, path) if kind == "safetensors" else torch.save(weights, path)
    images = torch.rand(1, 3, 16, 16)
    before = stem(images)
    load_weights(stem, path)
    assert torch.equal(stem.layer1[2].conv3.weight, weights["layer1.2.conv3.weight"])
    assert torch.equal(stem.bn1.running_var, weights["bn1.running_var"])
    after = stem(images)
    assert not torch.allclose(before, after)
    # what is published stays as it is in training, and when other weights are drawn
    assert torch.equal(stem.train()(images), after)
    stem.reset_parameters(torch.Generator().manual_seed(0))
    assert torch.equal(stem(images), after)
    assert not any(weight.requires_grad for weight in stem.frozen().parameters())


def test_weights_of_something_else_are_refused(tmp_path):
    """List 17: what is missing, unknown or of another shape is named; no code is run."""
    stem, weights = small_resnet(), published(None)

    def refused(said, **changed):
        kept = {name: x for name, x in (weights | changed).items() if x is not None}
        save_file(kept, tmp_path / "w.safetensors")
        with pytest.raises(ValueError, match=said):
            load_weights(stem, tmp_path / "w.safetensors")

    refused(r"it lacks conv1.weight; expected the weights of resnet50", **{"conv1.weight": None})
    refused(
        r"it has, and the network has not, features.0.bias", **{"features.0.bias": torch.ones(1)}
    )
    refused(
        r"bn1.bias has the shape \(3,\); expected \(64,\) in resnet50",
        **{"bn1.bias": torch.ones(3)},
    )

    class Trap:
        def __reduce__(self):
            return (print, ("run",))

    torch.save({"conv1.weight": Trap()}, tmp_path / "trap.pth")
    torch.save([torch.ones(1)], tmp_path / "list.pth")
    (tmp_path / "text.pth").write_text("no weights")
    (tmp_path / "text.safetensors").write_text("no weights")
    for name in ("trap.pth", "list.pth", "text.pth", "text.safetensors"):
        with pytest.raises(ValueError, match=f"{name}: the weights cannot be read"):
            load_weights(stem, tmp_path / name)
    with pytest.raises(FileNotFoundError, match=r"there is no such file. Name a file of weights"):
        load_weights(stem, tmp_path / "missing.pth")


def test_an_even_picture_says_nothing_about_its_own_mean():
    """List 17: whatever its colour; a thing on it shines as far as it differs."""
    stem = Centred(SmallCNN((4, 4), (8, 8)))
    stem.reset_parameters(torch.Generator().manual_seed(0))
    grey, white = torch.full((1, 3, 8, 8), 0.5), torch.ones(1, 3, 8, 8)
    torch.testing.assert_close(stem(grey), stem(white))
    torch.testing.assert_close(stem(grey), stem.stem(grey))
    black, dim = white.clone(), white.clone()
    black[..., 3:5, 3:5], dim[..., 3:5, 3:5] = 0.0, 0.5
    differs = [(stem(picture) - stem(white)).abs().sum().item() for picture in (black, dim)]
    assert differs[0] > 1.5 * differs[1] > 0
    assert (stem.dim, stem.grid(8, 8)) == (4, (2, 2))


def test_a_small_network_sees_evenly_around_each_place():
    """List 17: one bright pixel moves the places about it, and none far away."""
    stem = SmallCNN((4, 4, 4), (56, 56)).eval()
    assert stem.grid(56, 56) == (7, 7)
    picture = torch.full((2, 3, 56, 56), 0.5)
    picture[1, :, 28, 28] = 1.0  # in the middle of the place in row 4, column 4
    with torch.no_grad():
        stem.layers[0].weight.abs_()
        stem.layers[1].weight.abs_()
        stem.layers[2].weight.abs_()
    moved = (stem(picture)[1] - stem(picture)[0]).abs().sum(-1).reshape(7, 7)
    rows, columns = moved.nonzero().unbind(1)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (2, 4, 2, 4)
    assert moved.argmax() == 3 * 7 + 3
    # symmetric weights: what lies as far to the left as to the right counts as much
    ones = torch.full_like(stem.layers[0].weight, 0.1)
    with torch.no_grad():
        stem.layers[0].weight.copy_(ones)
    left, right = picture.clone()[:1], picture.clone()[:1]
    left[0, :, 27, 24], right[0, :, 27, 31] = 1.0, 1.0
    with torch.no_grad():
        for layer in stem.layers[1:]:
            layer.weight.fill_(0.1)
        middle = 3 * 7 + 3
        assert torch.equal(stem(left)[0, middle], stem(right)[0, middle])


def test_sizes_are_refused():
    """List 17: with what came, and what was expected."""
    with pytest.raises(ValueError, match="pictures of 8 x 9 pixels came, expected 8 x 8"):
        SmallCNN((4,), (8, 8))(torch.zeros(1, 3, 8, 9))
    with pytest.raises(ValueError, match=r"SmallCNN\(height=4\): expected at least 8"):
        SmallCNN((4, 4, 4), (4, 8))
    with pytest.raises(ValueError, match=r"VGG19\(layer='conv1'\): there is no such layer"):
        VGG19("conv1")
    with pytest.raises(ValueError, match=r"ResNet\(depth=18\): there is no such network; expected"):
        ResNet(18)
    with pytest.raises(ValueError, match="and 30 x 32 pixels came; layer layer1 expects 3 colours"):
        small_resnet()(torch.zeros(1, 3, 30, 32))
    with pytest.raises(ValueError, match=r"features of shape \(6, 4\) came, expected \(6, 5\)"):
        Given(5, (2, 3))(torch.zeros(1, 6, 4))
    given = torch.rand(2, 6, 5)
    assert torch.equal(Given(5, (2, 3))(given), given)


def test_pictures_are_seen_once_and_kept(tmp_path, monkeypatch):
    """List 17: the file says by which network and layer, and of how many pixels."""
    image = pytest.importorskip("PIL.Image")
    for name in ("a", "b"):
        image.new("RGB", (20, 16), "red").save(tmp_path / f"{name}.png")
    stem = small_resnet()
    names = [tmp_path / "a.png", tmp_path / "b.png"]
    path = compute_features(stem, names, tmp_path / "f", side=16)
    found = read_features(path, network="resnet50", layer="layer1", side=16)
    assert found.described["grid"] == [4, 4]
    picture = torch.zeros(1, 3, 16, 16)
    picture[:, 0] = 1.0
    torch.testing.assert_close(torch.from_numpy(found.of(["b.png"])), stem(picture).detach())
    image.new("RGB", (16, 16), "blue").save(tmp_path / "c.png")
    monkeypatch.setattr(picture_features, "TOGETHER", 2)
    several = compute_features(stem.train(), [*names, tmp_path / "c.png"], tmp_path / "h", side=16)
    assert not stem.training
    again = read_features(several)
    assert again.names == ("a.png", "b.png", "c.png")
    torch.testing.assert_close(torch.from_numpy(again.of(["b.png"])), stem(picture).detach())
    blue = stem(picture.flip(1)).detach()
    torch.testing.assert_close(torch.from_numpy(again.of(["c.png"])), blue)
    with pytest.raises(ValueError, match=r"two pictures are called a.png; expected pictures"):
        compute_features(stem, [names[0]] * 2, tmp_path / "g")
    with pytest.raises(ValueError, match="no picture came"):
        compute_features(stem, [], tmp_path / "g")
