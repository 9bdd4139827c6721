export { type AddedComment, addComments } from './add-comments.ts'
export { type AdoptedComment, adoptComments } from './adopt.ts'
export { printComment, usersOfComment } from './print.ts'
export { commentsOfRecords, insertComments, removeComments, removeMentions, type StoredComment } from './rows.ts'
