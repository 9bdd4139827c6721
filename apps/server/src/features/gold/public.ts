export { outdateGold, outdateGoldOfAnswers, removeGold } from './changes.ts'
export { authorOf, printGold, type Usernames, usernamesOf, usersIn } from './print.ts'
export { goldOfRecords, type StoredGold, type StoredGoldAnswer } from './rows.ts'
export { basisOf, type GoldChange, writeGold } from './write.ts'
