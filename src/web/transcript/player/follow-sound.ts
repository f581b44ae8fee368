/** How far the picture may be from the sound before it jumps there. Seconds. */
const mostApartSeconds = 0.15
const changes = ['play', 'pause', 'seeked', 'ratechange', 'timeupdate'] as const

/** A muted picture that follows the sound of another element, for a video whose sound is a listening copy. */
export function followSound(media: HTMLMediaElement, url: string): HTMLVideoElement {
  const picture = document.createElement('video')
  picture.muted = true
  picture.playsInline = true
  picture.preload = 'metadata'
  const follow = () => {
    picture.playbackRate = media.playbackRate
    const apart = Math.abs(picture.currentTime - media.currentTime)
    if (apart > mostApartSeconds && !picture.seeking) picture.currentTime = media.currentTime
    if (media.paused) picture.pause()
    // Rejected if the picture is moved in the DOM meanwhile, which pauses it: the pause is followed by another call.
    else if (picture.paused && !picture.ended) picture.play().catch(() => undefined)
  }
  for (const change of changes) media.addEventListener(change, follow)
  picture.addEventListener('loadeddata', follow)
  picture.addEventListener('pause', follow)
  picture.src = url
  return picture
}
