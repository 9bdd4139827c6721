export { type AdoptedView, adoptViews, type ViewLeftOut } from './adopt.ts'
