import { fileNamedBy } from '@postil/contract/files/stored-file-names.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { href } from '#lib/api/base.ts'
import { useOnline } from '#lib/net/connection.ts'
import { fileAtHand } from '#lib/taken/at-hand.ts'
import type { FieldViewProps } from '../define.ts'
import { Picture } from './Picture.tsx'
import styles from './View.module.css'

/** The schemes that a picture may come from; anything else is not asked for. */
const allowed = /^(?:https?:\/\/|data:image\/)/i

/** `kept` is on this device, for when the server is out of reach. */
type Source = 'there' | 'kept' | 'none'

export const ImageView = ({ field, value }: FieldViewProps<'image'>) => {
  const { t } = useTranslation('field-types/image')
  const isOnline = useOnline()
  const [from, setFrom] = useState<Source>('there')
  const [kept, setKept] = useState<string | null>(null)
  const stored = fileNamedBy(value)
  // A file of ours is asked for where the page is, whatever the server was called when the file was imported.
  const source = stored ? href(stored.path) : String(value)

  // What could not be had may be there once the network is.
  useEffect(() => {
    if (isOnline) setFrom((before) => (before === 'none' ? 'there' : before))
  }, [isOnline])
  useEffect(() => {
    return kept === null ? undefined : () => URL.revokeObjectURL(kept)
  }, [kept])
  const findKept = async (): Promise<void> => {
    const file = stored && from === 'there' ? await fileAtHand(stored.path) : undefined
    if (file) setKept(URL.createObjectURL(file))
    setFrom(file ? 'kept' : 'none')
  }

  if ((stored === null && !allowed.test(source)) || from === 'none')
    return <p className={styles['failed']}>{t('couldNotLoad')}</p>
  const shown = from === 'kept' && kept !== null ? kept : source
  return <Picture key={shown} source={shown} title={field.title} onFail={() => void findKept()} />
}
