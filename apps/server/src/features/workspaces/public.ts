export { adoptMembers, adoptWorkspace } from './adopt.ts'
export { addMember, ensureWorkspace } from './commands.ts'
export { grantWorkspaces, joinWorkspaces } from './grant.ts'
export {
  addWorkspaceUser,
  createWorkspace,
  deleteWorkspace,
  listOwn,
  listWorkspaceUsers,
  removeWorkspaceUser,
} from './service.ts'
