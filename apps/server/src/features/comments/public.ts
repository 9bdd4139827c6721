export { printComment, usersOfComment } from './print.ts'
export { commentsOfRecords, removeComments, removeMentions, type StoredComment } from './rows.ts'
