export { Examples } from './components/Examples.tsx'
export { freeName } from './examples.ts'
