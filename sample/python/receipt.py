from cart import Item, total


def receipt(items: list[Item]) -> str:
    lines = [f"{item.name} {item.cents}" for item in items]
    return "\n".join([*lines, f"total {total(items).bit_length()}"])
