import { parseFileAddress } from '@postil/contract/files/stored-file-addresses.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { href } from '#lib/api/base.ts'
import { useOnline } from '#lib/net/connection.ts'
import { offlineFile } from '#lib/offline/offline-responses.ts'
import type { FieldViewProps } from '../define.ts'
import styles from './View.module.css'
import { ZoomableImage } from './ZoomableImage.tsx'

/** The schemes that an image may be loaded from. Images with other schemes are never requested. */
const allowed = /^(?:https?:\/\/|data:image\/)/i

/**
 * Where the shown image comes from. `there`: its own address. `kept`: the copy on this device, which is used if the image can't
 * be loaded from its address.
 */
type Source = 'there' | 'kept' | 'none'

export const ImageView = ({ field, value }: FieldViewProps<'image'>) => {
  const { t } = useTranslation('field-types/image')
  const isOnline = useOnline()
  const [from, setFrom] = useState<Source>('there')
  const [offlineBlob, setOfflineBlob] = useState<string | null>(null)
  const stored = parseFileAddress(value)
  // A stored file is requested from the web app's origin, whatever the server's address was when the file was imported.
  const source = stored ? href(stored.path) : String(value)

  // An image that couldn't be loaded may load once the network is back.
  useEffect(() => {
    if (isOnline) setFrom((before) => (before === 'none' ? 'there' : before))
  }, [isOnline])
  useEffect(() => {
    return offlineBlob === null ? undefined : () => URL.revokeObjectURL(offlineBlob)
  }, [offlineBlob])
  const findOfflineBlob = async (): Promise<void> => {
    const file = stored && from === 'there' ? await offlineFile(stored.path) : undefined
    if (file) setOfflineBlob(URL.createObjectURL(file))
    setFrom(file ? 'kept' : 'none')
  }

  if ((stored === null && !allowed.test(source)) || from === 'none')
    return <p className={styles['failed']}>{t('couldNotLoad')}</p>
  const shown = from === 'kept' && offlineBlob !== null ? offlineBlob : source
  return <ZoomableImage key={shown} source={shown} title={field.title} onFail={() => void findOfflineBlob()} />
}
