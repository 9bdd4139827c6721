export { type AdoptedView, adoptView, adoptViews, type ViewLeftOut } from './adopt.ts'
export { visibilityOf } from './rows.ts'
export { heldView, refuseUnusable, testSearchIn, usedViewOf, viewAt } from './test-records.ts'
