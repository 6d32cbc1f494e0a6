// The least that a worker can do. What stops it is the platform's own work.
export default { fetch: () => new Response('x') }
