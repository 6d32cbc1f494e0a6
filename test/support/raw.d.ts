/** A file as text, for tests that run in workerd and have no disk. */
declare module '*?raw' {
  const text: string
  export default text
}

/** The contents of files, by their paths: Vite reads them when the test is built. */
interface ImportMeta {
  glob<Content>(pattern: string, options: { eager: true; import: 'default' }): Record<string, Content>
}
