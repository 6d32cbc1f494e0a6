import { useLayoutEffect, useState } from 'hono/jsx/dom'

/** A value that components of the whole console follow. */
export class Store<Value> {
  #value: Value
  readonly #followers = new Set<(value: Value) => void>()

  constructor(value: Value) {
    this.#value = value
  }

  get(): Value {
    return this.#value
  }

  set(value: Value): void {
    this.#value = value
    for (const follow of this.#followers) follow(value)
  }

  /** Calls `follow` now and with each new value. Returns what ends that. */
  follow(follow: (value: Value) => void): () => void {
    this.#followers.add(follow)
    follow(this.#value)
    return () => this.#followers.delete(follow)
  }
}

/** The value of a store. A component that uses it is drawn again with each new value. */
export function useStore<Value>(store: Store<Value>): Value {
  const [value, setValue] = useState(store.get())
  useLayoutEffect(() => store.follow((next) => setValue(() => next)), [store])
  return value
}
