export type DevArguments = { port: number; ip: string; state: string; others: string[] }

/**
 * Reads the flags that `npm run dev` uses itself, as `--name value` or `--name=value`. Wrangler gets all
 * others unchanged.
 */
export function readDevArguments(
  args: readonly string[],
  defaults: Omit<DevArguments, 'others'>,
): DevArguments {
  const own: Record<string, string> = {
    '--port': String(defaults.port),
    '--ip': defaults.ip,
    '--persist-to': defaults.state,
  }
  const others: string[] = []
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? ''
    const [flag = '', ...value] = arg.split('=')
    if (!Object.hasOwn(own, flag)) others.push(arg)
    else if (value.length > 0) own[flag] = value.join('=')
    else {
      index += 1
      const next = args[index]
      if (next === undefined || next.startsWith('--')) throw new Error(`${flag} needs a value`)
      own[flag] = next
    }
  }
  const port = Number(own['--port'])
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`--port must be a number from 1 to 65535, not ${own['--port']}`)
  return { port, ip: own['--ip'] ?? defaults.ip, state: own['--persist-to'] ?? defaults.state, others }
}
