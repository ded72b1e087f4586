"""What stems compute: against formulas written out, layer by layer."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from memnets.layers.stems import VGG19, Given, PublishedStem, ResNet, SmallCNN, in_rows

pytestmark = pytest.mark.usefixtures("shapes_unchecked")


class Seen(PublishedStem):
    """Sees the colours as they come, and takes every other pixel."""

    network = "none"
    layers_of = {"all": 1, "half": 2}  # noqa: RUF012

    def seen(self, images):
        return images[..., :: self.layers_of[self.layer], :: self.layers_of[self.layer]]


def test_colours_are_normalised_and_places_stand_row_after_row():
    picture = torch.rand(2, 3, 4, 6)
    mean, spread = torch.tensor([0.485, 0.456, 0.406]), torch.tensor([0.229, 0.224, 0.225])
    found = Seen("half")(picture)
    assert found.shape == (2, 2 * 3, 3)
    for row in range(2):
        for column in range(3):
            expected = (picture[:, :, 2 * row, 2 * column] - mean) / spread
            torch.testing.assert_close(found[:, 3 * row + column], expected)
    assert (Seen("half").grid(4, 6), Seen("all").grid(4, 6)) == ((2, 3), (4, 6))
    assert in_rows(torch.arange(12).view(1, 2, 2, 3)).tolist() == [
        [[0, 6], [1, 7], [2, 8], [3, 9], [4, 10], [5, 11]]
    ]
    for wrong in ((1, 4, 4, 6), (1, 3, 3, 6), (1, 3, 4, 5), (1, 3, 0, 6)):
        with pytest.raises(ValueError, match=r"layer half expects 3 colours and sides that 2 div"):
            Seen("half")(torch.zeros(wrong))


def test_published_weights_are_frozen_and_their_means_stay():
    stem = ResNet(50, "layer1")
    assert stem.train() is stem
    assert stem.training
    assert stem.layer1.training
    assert not any(part.training for part in stem.modules() if isinstance(part, nn.BatchNorm2d))
    assert all(weight.requires_grad for weight in stem.parameters())
    assert stem.frozen() is stem
    assert not any(weight.requires_grad for weight in stem.parameters())
    assert not stem.eval().training


def test_a_residual_network_by_its_formulas():
    """He et al.: of every block three convolutions, and what came in; the second has the stride."""
    stem = ResNet(50, "layer2").double()
    with torch.no_grad():
        for name, part in stem.state_dict().items():
            if part.is_floating_point() and part.ndim == 1:
                part.uniform_(0.5, 1.5)
            if name.endswith(("bias", "mean")):
                part.uniform_(-0.3, 0.3)
    weights = stem.state_dict()

    def convolved(x, name, **how):
        return F.conv2d(x, weights[f"{name}.weight"], **how)

    def normed(x, name):
        w, b, m, v = (
            weights[f"{name}.{part}"].view(-1, 1, 1)
            for part in ("weight", "bias", "running_mean", "running_var")
        )
        return (x - m) / (v + 1e-5).sqrt() * w + b

    picture = torch.rand(2, 3, 32, 16, dtype=torch.float64)
    mean, spread = (torch.tensor(one).double().view(3, 1, 1) for one in (
        (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
    ))  # fmt: skip
    x = convolved((picture - mean) / spread, "conv1", stride=2, padding=3)
    x = F.max_pool2d(normed(x, "bn1").clamp(min=0), 3, 2, 1)
    for stage, number in ((1, 3), (2, 4)):
        for block in range(number):
            at, stride = f"layer{stage}.{block}", 2 if (stage, block) == (2, 0) else 1
            y = normed(convolved(x, f"{at}.conv1"), f"{at}.bn1").clamp(min=0)
            y = convolved(y, f"{at}.conv2", stride=stride, padding=1)
            y = normed(y, f"{at}.bn2").clamp(min=0)
            y = normed(convolved(y, f"{at}.conv3"), f"{at}.bn3")
            if not block:
                x = convolved(x, f"{at}.downsample.0", stride=stride)
                x = normed(x, f"{at}.downsample.1")
            x = (x + y).clamp(min=0)
    expected = x.permute(0, 2, 3, 1).reshape(2, 4 * 2, 512)
    torch.testing.assert_close(stem(picture), expected, rtol=1e-9, atol=1e-9)
    assert (stem.network, stem.dim, stem.grid(32, 16)) == ("resnet50", 512, (4, 2))
    assert stem.unused == ("fc.", "layer3.", "layer4.")


def test_vgg_is_convolutions_with_relu_and_a_pooling_behind_each_block():
    with torch.device("meta"):
        whole, less = VGG19("pool5"), VGG19()
    pair, pooling = [nn.Conv2d, nn.ReLU], nn.MaxPool2d
    parts = [*pair * 2, pooling, *pair * 2, pooling, *[*pair * 4, pooling] * 3]
    assert [type(part) for part in whole.features] == parts
    assert [type(part) for part in less.features] == parts[:-1]
    for part in whole.features:
        if isinstance(part, nn.Conv2d):
            assert (part.kernel_size, part.stride, part.padding) == ((3, 3), (1, 1), (1, 1))
        if isinstance(part, pooling):
            assert (part.kernel_size, part.stride, part.padding) == (2, 2, 0)
    assert (whole.grid(64, 96), less.grid(64, 96)) == ((2, 3), (4, 6))
    assert (whole.network, whole.unused) == ("vgg19", ("classifier.",))


@pytest.mark.parametrize("deep", [0, 2])
def test_a_small_network_by_its_formula(deep):
    stem = SmallCNN((4, 5), (8, 12), deep, colours=2)
    with torch.no_grad():
        for layer in stem.layers:
            layer.bias.normal_()
    picture = torch.rand(3, 2, 8, 12)
    x = picture - 0.5
    for n, layer in enumerate(stem.layers):
        step, side = (2, 4) if n < 2 else (1, 3)
        assert layer.weight.shape[2:] == (side, side)
        x = F.conv2d(x, layer.weight, layer.bias, step, 1).clamp(min=0)
    assert len(stem.layers) == 2 + deep
    assert x.shape == (3, 5, 2, 3)
    expected = x.flatten(2).transpose(1, 2) + stem.places
    torch.testing.assert_close(stem(picture), expected)
    assert (stem.dim, stem.grid(8, 12), stem.grid(9, 15)) == (5, (2, 3), (2, 3))


def test_layers_of_a_small_network_are_normalised_over_a_batch():
    """Mean 0 and variance 1 of what each layer computes, in front of its ReLU; then, by running
    means, a picture is seen alike beside any other; and drawing weights again forgets them."""
    stem = SmallCNN((4, 5), (8, 12), deep=1, batch_norm=True)
    pictures = torch.rand(6, 3, 8, 12) * 3
    x = pictures - 0.5
    for n, layer in enumerate(stem.layers):
        x = F.conv2d(x, layer.weight, layer.bias, 2 if n < 2 else 1, 1)
        x = x - x.mean((0, 2, 3), keepdim=True)
        x = (x / (x.square().mean((0, 2, 3), keepdim=True) + 1e-5).sqrt()).clamp(min=0)
    expected = x.flatten(2).transpose(1, 2) + stem.places
    torch.testing.assert_close(stem(pictures), expected, rtol=1e-4, atol=1e-5)
    together = stem.eval()(pictures)
    assert not torch.allclose(together, expected, atol=0.1)
    torch.testing.assert_close(stem(pictures[:1]), together[:1], rtol=1e-5, atol=1e-6)
    stem.reset_parameters(torch.Generator().manual_seed(1))
    fresh = SmallCNN((4, 5), (8, 12), deep=1, batch_norm=True)
    fresh.reset_parameters(torch.Generator().manual_seed(1))
    for name, tensor in stem.state_dict().items():
        assert torch.equal(tensor, fresh.state_dict()[name]), name


def test_first_weights_of_a_small_network_keep_the_size_of_what_is_seen():
    stem = SmallCNN((50, 40), (16, 16), deep=1)
    stem.reset_parameters(torch.Generator().manual_seed(3))
    for layer, fan in zip(stem.layers, (3 * 16, 50 * 16, 40 * 9), strict=True):
        assert float(layer.weight.detach().std()) == pytest.approx((2 / fan) ** 0.5, rel=0.05)
        assert not layer.bias.any()
    assert float(stem.places.detach().std()) == pytest.approx(0.1, rel=0.1)
    again = SmallCNN((50, 40), (16, 16), deep=1)
    again.reset_parameters(torch.Generator().manual_seed(3))
    for one, other in zip(stem.parameters(), again.parameters(), strict=True):
        assert torch.equal(one, other)


def test_sizes_of_small_and_of_given_stems_are_refused():
    SmallCNN((4, 4, 4), (8, 8))  # one place
    with pytest.raises(ValueError, match=r"SmallCNN\(width=7\): expected at least 8"):
        SmallCNN((4, 4, 4), (8, 7))
    with pytest.raises(ValueError, match=r"SmallCNN\(channels_1=0\)"):
        SmallCNN((4, 0), (8, 8))
    with pytest.raises(ValueError, match=r"SmallCNN\(deep=-1\): expected at least 0"):
        SmallCNN((4,), (8, 8), deep=-1)
    given = Given(5, (2, 3))
    assert (given.dim, given.grid(100, 7)) == (5, (2, 3))
    with pytest.raises(ValueError, match=r"features of shape \(5, 5\) came, expected \(6, 5\)"):
        given(torch.zeros(1, 5, 5))
    with pytest.raises(ValueError, match=r"Given\(columns=0\)"):
        Given(5, (2, 0))
