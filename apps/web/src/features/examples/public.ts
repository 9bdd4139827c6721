export { Examples } from './components/Examples.tsx'
