// Says on the page when a browser gave no passkey: allauth's script says it on the console only.
document.addEventListener('allauth.error', (event) => {
  const place = document.getElementById('passkey-error')
  if (place === null) return
  event.preventDefault()
  place.hidden = false
})
