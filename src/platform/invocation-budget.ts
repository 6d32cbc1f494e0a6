import type { Bindings } from './bindings.ts'

/** How many operations an invocation may still make. */
type Budget = { left: number }

/** An invocation has made as many operations as its plan allows. What is left waits for the next one. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent'
}

/** The operations that OPERATIONS_OF_TICK allows; null: it is not set, and the plan's own limit counts. */
export function budgetOf({ OPERATIONS_OF_TICK }: Bindings): number | null {
  const text = OPERATIONS_OF_TICK ?? ''
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null
}

/**
 * The same bindings with a budget: each statement of a database and each call of the namespace or a queue is
 * one operation. The platform counts statements and calls apart, so both stay below the budget. An operation
 * beyond it throws BudgetSpent and does not happen; a batch happens whole or not at all.
 */
export function withBudget(env: Bindings, operations: number): Bindings {
  const budget = { left: operations }
  const entries = Object.entries(env).map(([name, binding]: [string, unknown]) => [
    name,
    isObject(binding)
      ? isDatabase(binding)
        ? database(binding, budget)
        : counted(binding, budget)
      : binding,
  ])
  return Object.fromEntries(entries)
}

function isObject(binding: unknown): binding is object {
  return typeof binding === 'object' && binding !== null
}

function isDatabase(binding: object): boolean {
  return 'prepare' in binding && 'batch' in binding
}

function take(budget: Budget, operations: number): void {
  if (budget.left < operations) throw new BudgetSpent(`${operations} operations, and ${budget.left} are left`)
  budget.left -= operations
}

/** A namespace, a queue or a rate limit: each call counts. */
function counted<Binding extends object>(binding: Binding, budget: Budget): Binding {
  return intercepted(binding, (_name, call) => async () => {
    take(budget, 1)
    return call()
  })
}

/** A database or a session: a statement counts when it runs, and a batch counts all of its statements. */
function database<Db extends object>(db: Db, budget: Budget): Db {
  const originals = new WeakMap<object, unknown>()
  const statement = <Statement extends object>(original: Statement): Statement => {
    const limited = intercepted(original, (name, call) =>
      name === 'bind'
        ? () => statement(Object(call()))
        : async () => {
            take(budget, 1)
            return call()
          },
    )
    originals.set(limited, original)
    return limited
  }
  const batch = async (statements: object[], call: Call) => {
    take(budget, statements.length)
    return call([statements.map((each) => originals.get(each) ?? each)])
  }
  return intercepted(db, (name, call) => (...values) => {
    if (name === 'prepare') return statement(Object(call()))
    if (name === 'withSession') return database(Object(call()), budget)
    return name === 'batch' && Array.isArray(values[0]) ? batch(values[0], call) : call()
  })
}

type Call = (values?: unknown[]) => unknown

/** An object whose methods go through `around`, which gets the name and the call with the values as given. */
function intercepted<Target extends object>(
  target: Target,
  around: (name: string | symbol, call: Call) => (...values: unknown[]) => unknown,
): Target {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name)
      if (typeof member !== 'function') return member
      return (...given: unknown[]) =>
        around(name, (values = given) => Reflect.apply(member, object, values))(...given)
    },
  })
}
