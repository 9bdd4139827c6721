export { serveHealth } from './routes.ts'
export { startTraces } from './traces.ts'
