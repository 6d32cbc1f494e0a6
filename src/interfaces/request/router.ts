import type { Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'

/**
 * Hono's router for paths with parameters, after a look-up of the paths without parameters. Hono's fastest
 * router does not allow a parameter beside a fixed name (`/v1/transactions/:id`, `/v1/transactions/batch`).
 * The look-up would skip middleware, so the router refuses it. serve.ts contains what all routes share.
 */
export class FixedPathsFirst<T> implements Router<T> {
  readonly name = 'FixedPathsFirst'
  readonly #fixed = new Map<string, Map<string, Result<T>>>()
  readonly #others = new TrieRouter<T>()

  add(method: string, path: string, handler: T): void {
    if (method === 'ALL' || path.includes('*'))
      throw new Error(`${method} ${path}: this router accepts no middleware`)
    if (path.includes(':')) return this.#others.add(method, path, handler)
    const paths = this.#fixed.get(method) ?? new Map<string, Result<T>>()
    this.#fixed.set(method, paths.set(path, [[[handler, {}]]]))
  }

  match(method: string, path: string): Result<T> {
    return this.#fixed.get(method)?.get(path) ?? this.#others.match(method, path)
  }
}
