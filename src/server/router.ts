import type { Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'

/**
 * Hono's router for paths with parameters, behind a look-up of the paths that have none. Hono's quickest
 * takes no parameter beside a fixed name (`/v1/transactions/:id`, `/v1/transactions/batch`). Middleware would
 * be passed over by the look-up, so it is refused: what every route shares is in serve.ts.
 */
export class FixedPathsFirst<T> implements Router<T> {
  readonly name = 'FixedPathsFirst'
  readonly #fixed = new Map<string, Map<string, Result<T>>>()
  readonly #others = new TrieRouter<T>()

  add(method: string, path: string, handler: T): void {
    if (method === 'ALL' || path.includes('*'))
      throw new Error(`${method} ${path}: this router takes no middleware`)
    if (path.includes(':')) return this.#others.add(method, path, handler)
    const paths = this.#fixed.get(method) ?? new Map<string, Result<T>>()
    this.#fixed.set(method, paths.set(path, [[[handler, {}]]]))
  }

  match(method: string, path: string): Result<T> {
    return this.#fixed.get(method)?.get(path) ?? this.#others.match(method, path)
  }
}
