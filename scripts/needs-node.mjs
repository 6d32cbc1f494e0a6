// JavaScript, because Node 20 cannot read TypeScript.
const NEEDED = 24

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  console.error(`This needs Node ${NEEDED}, and Node ${process.versions.node} runs it.
npm finds the Node that npm ci installs. After npm ci --ignore-scripts, install it: npm rebuild node`)
  process.exitCode = 1
}
