export { datasetsWithAssignments } from './queries.ts'
export { assignedToOthersOnly } from './rows.ts'
export { removeOfUser } from './service.ts'
