export { serveShare } from './routes.ts'
