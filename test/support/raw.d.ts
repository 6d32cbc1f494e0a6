/** A file as text, for tests that run in workerd and have no disk. */
declare module '*?raw' {
  const text: string
  export default text
}
