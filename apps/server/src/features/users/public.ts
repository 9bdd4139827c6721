export { adoptUser } from './adopt.ts'
export { changeUser, insertUser, type NewUser, updateUser } from './commands.ts'
export { hasUsers, listUserRows } from './queries.ts'
export type { UserRow } from './rows.ts'
export {
  addUser,
  checkChosenPassword,
  checkMayUpdate,
  getMe,
  listUsers,
  newUserRow,
  present,
  renewPasswordHash,
  setPassword,
} from './service.ts'
