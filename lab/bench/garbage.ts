import { z } from 'zod'

/** A function in a sampled profile: the bytes that it made itself, and the functions that it called. */
type Node = { callFrame: { functionName: string }; selfSize: number; children: readonly Node[] }

const Node: z.ZodType<Node> = z.lazy(() =>
  z.object({
    callFrame: z.object({ functionName: z.string() }),
    selfSize: z.number(),
    children: z.array(Node),
  }),
)
const Profile = z.object({ profile: z.object({ head: Node }) })
const Targets = z.array(z.object({ id: z.string(), webSocketDebuggerUrl: z.string() }))
const Reply = z.object({ id: z.number().optional(), result: z.unknown() })

/** The bytes between two samples. A smaller number is more exact, and slows the worker down. */
const BYTES_BETWEEN_SAMPLES = 2_048

/**
 * The bytes that functions of a worker make while something runs, by the names of the functions: also those
 * that are collected at once. It asks the inspector of workerd on a port.
 */
export async function bytesMade(
  port: number,
  run: () => Promise<void>,
): Promise<ReadonlyMap<string, number>> {
  const inspector = await openInspector(port)
  try {
    await inspector.send('HeapProfiler.enable', {})
    await inspector.send('HeapProfiler.startSampling', {
      samplingInterval: BYTES_BETWEEN_SAMPLES,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    })
    await run()
    const { profile } = Profile.parse(await inspector.send('HeapProfiler.stopSampling', {}))
    const bytes = new Map<string, number>()
    const count = ({ callFrame: { functionName }, selfSize, children }: Node): void => {
      bytes.set(functionName, (bytes.get(functionName) ?? 0) + selfSize)
      for (const child of children) count(child)
    }
    count(profile.head)
    return bytes
  } finally {
    inspector.close()
  }
}

type Inspector = { send: (method: string, params: object) => Promise<unknown>; close: () => void }

async function openInspector(port: number): Promise<Inspector> {
  const targets = Targets.parse(await (await fetch(`http://127.0.0.1:${port}/json`)).json())
  const target = targets.find(({ id }) => id === 'core:user:worker')
  if (target === undefined) throw new Error('workerd shows no worker to inspect')
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = Reply.parse(JSON.parse(String(data)))
    if (id !== undefined) waiting.get(id)?.(result)
  })
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error('The inspector of workerd does not answer')))
  })
  let last = 0
  const send = (method: string, params: object) =>
    new Promise<unknown>((resolve) => {
      last += 1
      waiting.set(last, resolve)
      socket.send(JSON.stringify({ id: last, method, params }))
    })
  return { send, close: () => socket.close() }
}
