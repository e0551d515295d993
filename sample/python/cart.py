from dataclasses import dataclass


@dataclass
class Item:
    name: str
    cents: int


def total(items: list[Item]) -> int:
    return sum(item.cents for item in items)
