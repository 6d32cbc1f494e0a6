import type { ChildProcess } from 'node:child_process'

type Output = Pick<NodeJS.WritableStream, 'write'>

/**
 * Holds back what a starting server prints, such as two hundred lines on its bindings and modules, and a
 * warning at each start. If it prints an error or ends, all of it is shown. Call the returned function at the
 * first answer: what was held is dropped, and all that comes later is shown.
 */
export function holdOutput(
  server: Pick<ChildProcess, 'stdout' | 'stderr' | 'once'>,
  { stdout, stderr }: { stdout: Output; stderr: Output } = process,
): () => void {
  const held: [Output, Buffer][] = []
  let holding = true
  const show = () => {
    holding = false
    for (const [output, chunk] of held.splice(0)) output.write(chunk)
  }
  const take = (output: Output) => (chunk: Buffer) => {
    held.push([output, chunk])
    if (!holding || (output === stderr && chunk.includes('ERROR'))) show()
  }
  server.stdout?.on('data', take(stdout))
  server.stderr?.on('data', take(stderr))
  server.once('close', show)
  return () => {
    held.length = 0
    holding = false
  }
}
