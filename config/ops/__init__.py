"""Operations: health, metrics, logs and system checks."""
