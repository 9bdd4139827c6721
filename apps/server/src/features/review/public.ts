export { putGold } from './gold.ts'
