type Work = () => Promise<unknown>

const works = new Set<Work>()
/** What is not done by then does not hold up who wants to leave, in milliseconds. */
const patience = 2000

/** Does something before the user signs out, while the session is still good. @returns how to forget it */
export const beforeSignOut = (work: Work): (() => void) => {
  works.add(work)
  return () => works.delete(work)
}

/** Does what is to be done before a sign-out. Never rejects. */
export const leave = async (): Promise<void> => {
  const late = new Promise((done) => setTimeout(done, patience))
  await Promise.race([Promise.allSettled([...works].map((work) => work())), late])
}
