export { startLabeling } from './service.ts'
