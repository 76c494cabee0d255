"""A job that test_ray.py runs on two nodes. It prints what failed, if anything did."""

import os

import placemat
import placemat.ray
import ray

import cluster as made

ray.init(address="127.0.0.1:6379")
alive = [node for node in ray.nodes() if node["Alive"]]
assert len(alive) == 2, alive
data = list(made.rows(2000))
ds = ray.data.from_items([{"id": at, "body": body} for at, body in data]).repartition(8)

repaired = {row["id"]: row["body"] for row in placemat.ray.repair(ds, "body", "cp1252").take_all()}
assert repaired == {at: body if body is None else placemat.repair(body, "cp1252").decode() for at, body in data}

found = [tuple(row.values()) for row in placemat.ray.errors(ds, "body", keep=["id"]).take_all()]
assert sorted(found) == sorted((at, e.offset, e.length, e.kind) for at, body in data if body for e in placemat.errors(body))


def where(table):
    return table.append_column("node", [[ray.get_runtime_context().get_node_id()] * len(table)])


nodes = {row["node"] for row in placemat.ray.is_valid(ds, "body").map_batches(where, batch_format="pyarrow", num_cpus=1).take_all()}
print(f"ray: {len(data)} rows, {len(found)} errors, on {len(nodes)} of {len(alive)} nodes", flush=True)
os._exit(0)
