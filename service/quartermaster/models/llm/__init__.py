"""Language models behind two protocols; used only if the settings name one."""
