import { tellDone } from '#ui/telling/done.ts'
import { useDeed } from '../use-deed.ts'
import { FormDialog } from './FormDialog.tsx'

type Props = {
  readonly title: string
  readonly verb: string
  readonly explain: string
  /** What is said when it is done. */
  readonly said: string
  readonly deed: () => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before something is done to somebody. */
export const DeedDialog = ({ title, verb, explain, said, deed, onClose }: Props) => {
  const { busy, problem, run } = useDeed()
  const submit = async (): Promise<void> => {
    if (!(await run(deed))) return
    tellDone(said)
    onClose()
  }
  return (
    <FormDialog
      title={title}
      verb={verb}
      busy={busy}
      blocked={false}
      problem={problem}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p>{explain}</p>
    </FormDialog>
  )
}
