"""Formulas as readable text."""

from __future__ import annotations

import pytest

from variorum.sources._mathml import math_text


@pytest.mark.parametrize(
    ("mathml", "text"),
    [
        ("<msub><mi>x</mi><mi>i</mi></msub>", "xᵢ"),
        ("<mi>x</mi><msub><mi></mi><mn>1</mn></msub>", "x₁"),
        ("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "x₁²"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>", "(a + b)/c"),
        ("<msqrt><mi>x</mi></msqrt>", "√x"),
        ("<mover accent='true'><mi>x</mi><mo>^</mo></mover>", "x̂"),
        ("<mi>a</mi><mo>=</mo><mo>−</mo><mi>b</mi>", "a = −b"),
        ("<mi>f</mi><mo>\u2061</mo><mo>(</mo><mi>x</mi><mo>,</mo><mi>y</mi><mo>)</mo>", "f(x, y)"),
        ("<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd></mtr></mtable>", "1 0; 0"),
        ("", "\\alpha"),
    ],
)
def test_formula(mathml: str, text: str) -> None:
    from lxml import html

    tree = html.fromstring(f'<p><math alttext="\\alpha"><semantics><mrow>{mathml}</mrow></semantics></math></p>')
    assert math_text(tree.find("math")) == text
