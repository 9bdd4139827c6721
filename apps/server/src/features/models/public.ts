export { countRunsAsking } from './runs/rows.ts'
