/**
 * A layered Python workspace: packages that re-export names, dataclasses, a Protocol, a TypedDict, generics,
 * an abstract class and its subclass, a union discriminated by a literal, relative and absolute imports.
 *
 * Invariant: the clean variant passes pyright's standard mode; the flawed one has one error in each of its
 * three extra or altered files.
 */
import { type Variant, type WorkspaceFiles, withCarriageReturns } from './workspace-files.ts';

export function pythonFiles(variant: Variant): WorkspaceFiles {
  return variant === 'clean' ? clean : { ...clean, ...flaws };
}

const render = `from shop.model import Order, describe, total
from .labels import badge


def render(order: Order) -> str:
    """One line about an order."""
    due = total(order)
    return f"{badge(order.state.kind)} {describe(order.state)}: {due.amount:.2f} {due.currency}"


def render_all(orders: list[Order]) -> str:
    return "\\n".join(render(order) for order in orders)
`;

const clean: WorkspaceFiles = {
  'pyrightconfig.json': '{ "include": ["shop"], "typeCheckingMode": "standard", "pythonVersion": "3.12" }\n',
  'shop/__init__.py': `from .model import Order, Product

__all__ = ["Order", "Product"]
`,
  'shop/core/__init__.py': `from .collection import Collection
from .identity import HasId, Id
from .result import Failed, Ok, Result, value_or

__all__ = ["Collection", "Failed", "HasId", "Id", "Ok", "Result", "value_or"]
`,
  'shop/core/result.py': `from dataclasses import dataclass
from typing import Callable, Generic, TypeVar, Union

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True)
class Ok(Generic[T]):
    value: T


@dataclass(frozen=True)
class Failed:
    reason: str


Result = Union[Ok[T], Failed]


def map_result(result: Result[T], change: Callable[[T], U]) -> Result[U]:
    return Ok(change(result.value)) if isinstance(result, Ok) else result


def value_or(result: Result[T], fallback: T) -> T:
    return result.value if isinstance(result, Ok) else fallback
`,
  'shop/core/identity.py': `from typing import NewType, Protocol

Id = NewType("Id", str)


class HasId(Protocol):
    @property
    def id(self) -> Id: ...
`,
  'shop/core/collection.py': `from typing import Generic, TypeVar

from .identity import HasId, Id

T = TypeVar("T", bound=HasId)


class Collection(Generic[T]):
    """Items by their id, in the order they came."""

    def __init__(self) -> None:
        self._items: dict[Id, T] = {}

    def add(self, item: T) -> None:
        self._items[item.id] = item

    def get(self, id: Id) -> T | None:
        return self._items.get(id)

    def all(self) -> list[T]:
        return list(self._items.values())
`,
  'shop/model/__init__.py': `from .money import Currency, Money, plus, times
from .order import Draft, Line, Order, Paid, Sent, State, describe, total
from .product import Product, ProductRow, from_row

__all__ = [
    "Currency",
    "Draft",
    "Line",
    "Money",
    "Order",
    "Paid",
    "Product",
    "ProductRow",
    "Sent",
    "State",
    "describe",
    "from_row",
    "plus",
    "times",
    "total",
]
`,
  'shop/model/money.py': `from dataclasses import dataclass
from typing import Literal

Currency = Literal["EUR", "USD"]


@dataclass(frozen=True)
class Money:
    amount: float
    currency: Currency


def plus(a: Money, b: Money) -> Money:
    return Money(a.amount + b.amount, a.currency)


def times(a: Money, factor: float) -> Money:
    return Money(a.amount * factor, a.currency)
`,
  'shop/model/product.py': `from dataclasses import dataclass
from typing import TypedDict

from ..core import Id
from .money import Currency, Money


class ProductRow(TypedDict):
    name: str
    amount: float
    currency: Currency


@dataclass(frozen=True)
class Product:
    id: Id
    name: str
    price: Money


def from_row(row: ProductRow) -> Product:
    return Product(Id(row["name"]), row["name"], Money(row["amount"], row["currency"]))
`,
  'shop/model/order.py': `from dataclasses import dataclass
from datetime import date
from typing import Literal, Union, assert_never

from ..core.identity import Id
from .money import Money, plus, times
from .product import Product


@dataclass(frozen=True)
class Draft:
    kind: Literal["draft"] = "draft"


@dataclass(frozen=True)
class Paid:
    on: date
    kind: Literal["paid"] = "paid"


@dataclass(frozen=True)
class Sent:
    on: date
    parcel: str
    kind: Literal["sent"] = "sent"


State = Union[Draft, Paid, Sent]


@dataclass(frozen=True)
class Line:
    product: Product
    count: int


@dataclass(frozen=True)
class Order:
    id: Id
    state: State
    lines: tuple[Line, ...]


def total(order: Order) -> Money:
    sum = Money(0, "EUR")
    for line in order.lines:
        sum = plus(sum, times(line.product.price, line.count))
    return sum


def describe(state: State) -> str:
    if state.kind == "draft":
        return "not paid yet"
    if state.kind == "paid":
        return f"paid on {state.on.isoformat()}"
    if state.kind == "sent":
        return f"sent as {state.parcel}"
    assert_never(state)
`,
  'shop/store/__init__.py': `from .memory import MemoryRepository
from .repository import Repository

__all__ = ["MemoryRepository", "Repository"]
`,
  'shop/store/repository.py': `from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from shop.core import HasId, Id, Result

T = TypeVar("T", bound=HasId)


class Repository(ABC, Generic[T]):
    """Where things with an id are kept."""

    @abstractmethod
    def find(self, id: Id) -> Result[T]: ...

    @abstractmethod
    def save(self, item: T) -> None: ...

    def missing(self, id: Id) -> str:
        return f"nothing is kept as {id}"
`,
  'shop/store/memory.py': `from typing import TypeVar

from shop.core import Collection, Failed, HasId, Id, Ok, Result

from .repository import Repository

T = TypeVar("T", bound=HasId)


class MemoryRepository(Repository[T]):
    def __init__(self) -> None:
        self.items: Collection[T] = Collection()

    def find(self, id: Id) -> Result[T]:
        item = self.items.get(id)
        return Failed(self.missing(id)) if item is None else Ok(item)

    def save(self, item: T) -> None:
        self.items.add(item)
`,
  'shop/pricing/__init__.py': '',
  'shop/pricing/discount.py': `from typing import Protocol, Sequence

from shop.model import Money, Order, times, total


class Rule(Protocol):
    """A share of the price that is taken off, between nothing and all."""

    def __call__(self, order: Order) -> float: ...


def bulk(order: Order) -> float:
    return 0.1 if len(order.lines) > 3 else 0.0


def discounted(order: Order, rules: Sequence[Rule]) -> Money:
    off = sum(rule(order) for rule in rules)
    return times(total(order), 1 - min(off, 1.0))
`,
  'shop/pricing/tax.py': `from shop.model.money import Currency, Money, times

RATES: dict[Currency, float] = {"EUR": 0.19, "USD": 0.07}


def with_tax(net: Money) -> Money:
    return times(net, 1 + RATES[net.currency])
`,
  'shop/app/__init__.py': '',
  'shop/app/checkout.py': `from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from ..core.result import Result, map_result
from ..model import Order, Paid
from ..pricing import tax
from ..pricing.discount import bulk, discounted

if TYPE_CHECKING:
    from ..core import Id
    from ..model import Money
    from ..store import Repository


class Checkout:
    def __init__(self, orders: Repository[Order]) -> None:
        self._orders = orders

    def price(self, id: Id) -> Result[Money]:
        return map_result(self._orders.find(id), lambda order: tax.with_tax(discounted(order, [bulk])))

    def pay(self, order: Order, on: date) -> Order:
        paid = Order(order.id, Paid(on), order.lines)
        self._orders.save(paid)
        return paid
`,
  'shop/app/labels.py': withCarriageReturns(`from typing import Literal

Kind = Literal["draft", "paid", "sent"]

BADGES: dict[Kind, str] = {"draft": "📝", "paid": "💶", "sent": "📦"}


def badge(kind: Kind) -> str:
    return BADGES[kind]
`),
  'shop/app/render.py': render,
  'shop/app/main.py': `from datetime import date

from shop.core import Id, value_or
from shop.model import Draft, Line, Money, Order, from_row
from shop.store import MemoryRepository

from .checkout import Checkout
from .render import render_all

orders: MemoryRepository[Order] = MemoryRepository()
tea = from_row({"name": "tea", "amount": 4.0, "currency": "EUR"})
order = Order(Id("1"), Draft(), (Line(tea, 2),))
orders.save(order)

checkout = Checkout(orders)
checkout.pay(order, date(2024, 1, 1))
due = value_or(checkout.price(order.id), Money(0, "EUR"))
page = render_all(orders.items.all())
`,
};

const flaws: WorkspaceFiles = {
  'shop/app/render.py': `${render}

width: int = "80"
`,
  'shop/app/audit.py': `from shop.model import Order

from .trail import trail


def audit(orders: list[Order]) -> str:
    return "\\n".join(trail(order.id) for order in orders)
`,
  'shop/app/stock.py': `from shop.model import Product


def is_available(product: Product) -> bool:
    return product.stock > 0
`,
};
