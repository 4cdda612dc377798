from django.apps import AppConfig


class NotesConfig(AppConfig):
    name = "games.notes"
    label = "notes"
    verbose_name = "Notes to oneself"
    api = "games.notes.api"

    def ready(self) -> None:
        from core.accounts import exporting
        from games import hooks
        from games.notes import services

        note = self.get_model("Note")
        exporting.add_part("notes", services.notes_of, note)
        hooks.PANELS.add(hooks.Panel("notes/panel.html", "notes/note.js", "notes/note.css"))
