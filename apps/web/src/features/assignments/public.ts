export { AssignDialog } from './AssignDialog.tsx'
export { assigneesQuery, recordAssigneesQuery, type Target } from './api.ts'
export { MoveDialog } from './MoveDialog.tsx'
export { useChange } from './use-change.ts'
